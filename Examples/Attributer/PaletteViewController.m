#import "PaletteViewController.h"

@interface PaletteViewController ()
@property (strong, nonatomic) PaletteView *palette;
@property (copy, nonatomic) void (^undo)(void);
@end

@implementation PaletteViewController

// Right: the view is assigned, so the one that super would make is not needed.
- (void)loadView {
    self.palette = [[PaletteView alloc] initWithFrame:CGRectMake(0, 0, 320, 64)];
    self.palette.delegate = self;
    self.view = self.palette;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.palette.colors = @[[UIColor redColor], [UIColor greenColor], [UIColor orangeColor], [UIColor purpleColor]];
    __weak typeof(self) weakSelf = self;
    // Right: the controller keeps the block, and the block does not keep the controller.
    self.undo = ^{
        weakSelf.title = nil;
    };
}

- (void)palette:(UIView *)palette didPickColor:(UIColor *)color {
    self.title = @"Picked";
    if (self.onPick) {
        self.onPick(color);
    }
}

- (void)undoPick {
    self.undo();
}

@end

@interface StickyPaletteViewController ()
@property (strong, nonatomic) GreedyPaletteView *palette;
@property (copy, nonatomic) void (^undo)(void);
@end

@implementation StickyPaletteViewController

- (void)loadView {
    // This makes a view, or loads a nib, for nothing: the next lines throw it away.
    [super loadView]; // expect: prohibited_super_call
    self.palette = [[GreedyPaletteView alloc] initWithFrame:CGRectMake(0, 0, 320, 64)];
    self.palette.delegate = self;
    self.view = self.palette;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    // The controller keeps the block, and the block keeps the controller.
    self.undo = ^{ // expect: closure_retains_controller
        self.title = nil;
    };
}

- (void)palette:(UIView *)palette didPickColor:(UIColor *)color {
    self.title = @"Picked";
    if (self.onPick) {
        self.onPick(color);
    }
}

- (void)undoPick {
    self.undo();
}

@end
