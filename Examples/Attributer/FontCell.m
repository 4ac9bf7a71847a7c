#import "FontCell.h"

@interface FontCell ()
@property (strong, nonatomic) UIView *dot;
@end

@implementation FontCell

- (void)prepareForReuse {
    [super prepareForReuse];
    self.dot.hidden = YES;
}

// Right: the dot is made when it is first needed, and used again with the cell.
- (void)showFont:(UIFont *)font inUse:(BOOL)inUse {
    self.textLabel.text = font.fontName;
    self.textLabel.font = font;
    if (!self.dot) {
        self.dot = [[UIView alloc] initWithFrame:CGRectMake(4, 4, 8, 8)];
        self.dot.backgroundColor = self.tintColor;
        [self.contentView addSubview:self.dot];
    }
    self.dot.hidden = !inUse;
}

@end

@implementation ForgetfulFontCell

// The table counts on the inherited method to reset the selection and the editing state.
- (void)prepareForReuse { // expect: missing_super_call
    self.textLabel.text = nil;
}

- (void)showFont:(UIFont *)font inUse:(BOOL)inUse {
    self.textLabel.text = font.fontName;
    self.textLabel.font = font;
    if (inUse) {
        UIView *dot = [[UIView alloc] initWithFrame:CGRectMake(4, 4, 8, 8)];
        dot.backgroundColor = self.tintColor;
        // A cell is used for many fonts, and each of them leaves its dot.
        [self.contentView addSubview:dot]; // pending: repeated_setup
    }
}

@end
