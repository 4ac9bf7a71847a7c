#import "PaletteView.h"

@interface PaletteView ()
@property (strong, nonatomic) CALayer *frameLayer;
@end

@implementation PaletteView

- (instancetype)initWithFrame:(CGRect)frame {
    self = [super initWithFrame:frame];
    if (self) {
        _frameLayer = [CALayer layer];
        _frameLayer.borderWidth = 1;
        [self.layer addSublayer:_frameLayer];
    }
    return self;
}

// Right: the layout knows the size, and comes again when it changes.
- (void)layoutSubviews {
    [super layoutSubviews];
    self.frameLayer.frame = self.bounds;
}

// Right: UIKit is asked to draw.
- (void)setColors:(NSArray<UIColor *> *)colors {
    _colors = [colors copy];
    [self setNeedsDisplay];
}

- (void)drawRect:(CGRect)rect {
    CGFloat width = CGRectGetWidth(self.bounds) / MAX(self.colors.count, 1);
    [self.colors enumerateObjectsUsingBlock:^(UIColor *color, NSUInteger index, BOOL *stop) {
        [color setFill];
        UIRectFill(CGRectMake(index * width, 0, width, CGRectGetHeight(self.bounds)));
    }];
}

- (void)touchesEnded:(NSSet<UITouch *> *)touches withEvent:(UIEvent *)event {
    if (self.colors.count == 0) {
        return;
    }
    CGFloat share = [touches.anyObject locationInView:self].x / CGRectGetWidth(self.bounds);
    NSUInteger index = MIN((NSUInteger)(MAX(share, 0) * self.colors.count), self.colors.count - 1);
    [self.delegate palette:self didPickColor:self.colors[index]];
}

@end

@interface GreedyPaletteView ()
@property (strong, nonatomic) CALayer *frameLayer;
@end

@implementation GreedyPaletteView

- (instancetype)initWithFrame:(CGRect)frame {
    self = [super initWithFrame:frame];
    if (self) {
        _frameLayer = [CALayer layer];
        _frameLayer.borderWidth = 1;
        // The view is resized later, and the border stays as large as the first frame.
        _frameLayer.frame = self.bounds; // expect: geometry_before_layout
        [self.layer addSublayer:_frameLayer];
    }
    return self;
}

- (void)setColors:(NSArray<UIColor *> *)colors {
    _colors = [colors copy];
    // There is no graphics context outside of a drawing pass, so this draws nothing.
    [self drawRect:self.bounds]; // expect: direct_lifecycle_call
}

- (void)drawRect:(CGRect)rect {
    [self.colors.firstObject setFill];
    UIRectFill(rect);
}

@end
