#import "TextStatsViewController.h"

@implementation TextStatsViewController

// Right: a text that comes before the view is shown when the view is loaded.
- (void)setTextToAnalyze:(NSAttributedString *)textToAnalyze {
    _textToAnalyze = textToAnalyze;
    if (self.isViewLoaded) {
        [self updateUI];
    }
}

- (void)viewDidLoad {
    [super viewDidLoad];
    [self updateUI];
}

- (void)updateUI {
    self.colorfulCharactersLabel.text = [self summaryOfAttribute:NSForegroundColorAttributeName word:@"colourful"];
    self.outlinedCharactersLabel.text = [self summaryOfAttribute:NSStrokeWidthAttributeName word:@"outlined"];
}

- (NSString *)summaryOfAttribute:(NSString *)name word:(NSString *)word {
    NSUInteger index = 0;
    NSUInteger count = 0;
    while (index < self.textToAnalyze.length) {
        NSRange range;
        id value = [self.textToAnalyze attribute:name atIndex:index effectiveRange:&range];
        if (value) {
            count += range.length;
        }
        index = NSMaxRange(range);
    }
    return [NSString stringWithFormat:@"%lu %@ characters", (unsigned long)count, word];
}

@end

@implementation DeafStatsViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    // The user may ask for larger letters while this screen is open, and these stay small.
    self.outlinedCharactersLabel.font = [UIFont preferredFontForTextStyle:UIFontTextStyleBody]; // expect: content_size_not_followed
    NSDictionary *attributes = @{NSForegroundColorAttributeName: [UIColor orangeColor]};
    self.colorfulCharactersLabel.attributedText = [[NSAttributedString alloc] initWithString:@"colourful" attributes:attributes];
    // The colour of the label replaces the colour of every letter.
    self.colorfulCharactersLabel.textColor = [UIColor grayColor]; // expect: attributed_text_clobbered
    [[NSNotificationCenter defaultCenter] addObserver:self
                                             selector:@selector(storageChanged:)
                                                 name:NSTextStorageDidProcessEditingNotification
                                               object:nil];
}

- (void)viewDidDisappear:(BOOL)animated {
    [super viewDidDisappear:animated];
    // The view is loaded once only, so the counts stand still when this screen comes back.
    [[NSNotificationCenter defaultCenter] removeObserver:self // expect: observer_unbalanced
                                                    name:NSTextStorageDidProcessEditingNotification
                                                  object:nil];
}

// A copy of the method above that kept its call: the base class is told of the wrong event.
- (void)viewWillDisappear:(BOOL)animated {
    [super viewDidDisappear:animated]; // expect: wrong_super_call
    self.title = nil;
}

// UIKit sends viewWillLayoutSubviews; nobody sends this.
- (void)viewWillLayoutSubview { // expect: lifecycle_signature_mismatch
    self.outlinedCharactersLabel.hidden = self.textToAnalyze.length == 0;
}

- (void)storageChanged:(NSNotification *)notification {
    [self updateUI];
}

@end
