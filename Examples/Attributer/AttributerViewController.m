#import "AttributerViewController.h"
#import "PaletteViewController.h"
#import "TextStatsViewController.h"

@interface AttributerViewController ()
@property (strong, nonatomic) CAGradientLayer *paper;
@end

@implementation AttributerViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    NSMutableAttributedString *title = [[NSMutableAttributedString alloc] initWithString:self.outlineButton.currentTitle];
    [title setAttributes:@{NSStrokeWidthAttributeName: @3, NSStrokeColorAttributeName: self.outlineButton.tintColor}
                   range:NSMakeRange(0, title.length)];
    [self.outlineButton setAttributedTitle:title forState:UIControlStateNormal];
    self.paper = [CAGradientLayer layer];
    self.paper.colors = @[(id)[UIColor whiteColor].CGColor, (id)[UIColor lightGrayColor].CGColor];
    [self.view.layer insertSublayer:self.paper atIndex:0];
}

// Right: the layout tells how large the paper is, and tells it again after each rotation.
- (void)viewDidLayoutSubviews {
    [super viewDidLayoutSubviews];
    self.paper.frame = self.view.bounds;
}

// Right: whatever changed while the text was hidden is read again, and the observer is removed by its mirror.
- (void)viewWillAppear:(BOOL)animated {
    [super viewWillAppear:animated];
    [self usePreferredFonts];
    [[NSNotificationCenter defaultCenter] addObserver:self
                                             selector:@selector(preferredFontsChanged:)
                                                 name:UIContentSizeCategoryDidChangeNotification
                                               object:nil];
}

- (void)viewWillDisappear:(BOOL)animated {
    [super viewWillDisappear:animated];
    [[NSNotificationCenter defaultCenter] removeObserver:self name:UIContentSizeCategoryDidChangeNotification object:nil];
}

- (void)preferredFontsChanged:(NSNotification *)notification {
    [self usePreferredFonts];
}

- (void)usePreferredFonts {
    self.body.font = [UIFont preferredFontForTextStyle:UIFontTextStyleBody];
    self.headline.font = [UIFont preferredFontForTextStyle:UIFontTextStyleHeadline];
}

- (void)colorBodySelection:(UIColor *)color {
    [self.body.textStorage addAttribute:NSForegroundColorAttributeName value:color range:self.body.selectedRange];
}

- (IBAction)changeBodySelectionColorToMatchBackgroundOfButton:(UIButton *)sender {
    [self colorBodySelection:sender.backgroundColor];
}

- (IBAction)outlineBodySelection {
    [self.body.textStorage addAttributes:@{NSStrokeWidthAttributeName: @-3, NSStrokeColorAttributeName: [UIColor blackColor]}
                                   range:self.body.selectedRange];
}

- (IBAction)unoutlineBodySelection {
    [self.body.textStorage removeAttribute:NSStrokeWidthAttributeName range:self.body.selectedRange];
}

- (IBAction)showPalette {
    PaletteViewController *palette = [[PaletteViewController alloc] init];
    __weak typeof(self) weakSelf = self;
    palette.onPick = ^(UIColor *color) {
        [weakSelf colorBodySelection:color];
    };
    [self.navigationController pushViewController:palette animated:YES];
}

- (void)prepareForSegue:(UIStoryboardSegue *)segue sender:(id)sender {
    if ([segue.identifier isEqualToString:@"Analyze Text"]) {
        TextStatsViewController *stats = segue.destinationViewController;
        // Right: the text waits in a property until the view of the next screen is loaded.
        stats.textToAnalyze = self.body.textStorage;
    }
}

@end

@interface HastyAttributerViewController ()
@property (strong, nonatomic) CAGradientLayer *shade;
@property (nonatomic) BOOL isPrinting;
@end

@implementation HastyAttributerViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    self.shade = [CAGradientLayer layer];
    // The view has the size of the storyboard here, and no layout comes back to this layer.
    self.shade.frame = self.view.bounds; // expect: geometry_before_layout
    [self.view.layer addSublayer:self.shade];
    // A label that has no size yet gets no round corners.
    self.headline.layer.cornerRadius = CGRectGetHeight(self.headline.bounds) / 2; // expect: geometry_before_layout
}

// A print in progress returns before super, and the base class misses the observer that it adds there.
- (void)viewWillAppear:(BOOL)animated { // expect: conditional_super_call
    if (self.isPrinting) {
        return;
    }
    [super viewWillAppear:animated];
}

- (void)viewDidAppear:(BOOL)animated {
    [super viewDidAppear:animated];
    // Each return to this screen adds one more; what the base class removes has another name.
    [[NSNotificationCenter defaultCenter] addObserver:self // expect: observer_unbalanced
                                             selector:@selector(textChanged:)
                                                 name:UITextViewTextDidChangeNotification
                                               object:self.body];
    UILabel *badge = [[UILabel alloc] initWithFrame:CGRectMake(8, 8, 60, 20)];
    badge.text = @"draft";
    // A second badge lies on the first one when the screen comes back.
    [self.view addSubview:badge]; // expect: repeated_setup
}

- (void)dealloc {
    [[NSNotificationCenter defaultCenter] removeObserver:self];
}

- (void)textChanged:(NSNotification *)notification {
    self.title = @"Edited";
}

- (void)fontsWereReset {
    [self usePreferredFonts];
    // Only UIKit knows when the view appears; this call adds the observers of the base class once more.
    [self viewWillAppear:NO]; // expect: direct_lifecycle_call
}

- (void)prepareForSegue:(UIStoryboardSegue *)segue sender:(id)sender {
    TextStatsViewController *stats = segue.destinationViewController;
    stats.textToAnalyze = self.body.textStorage;
    // The label does not exist yet, and a message to nil is lost without a word.
    stats.colorfulCharactersLabel.text = @"counting"; // expect: outlet_before_load
}

@end
