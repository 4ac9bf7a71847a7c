#import "SleepViewController.h"

@implementation SleepViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    self.fade.delegate = self;
}

// Right: a pointer that does not clear itself is cleared at the end.
- (void)dealloc {
    _fade.delegate = nil;
}

- (void)volumeFadeDidEnd:(VolumeFade *)fade {
    self.title = @"Good night";
}

@end

@implementation SleepwalkingViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    // Somebody else may keep the fade longer; its next message then goes to freed memory.
    self.fade.delegate = self; // expect: delegate_not_cleared
}

// The base class keeps its record of appearances in this method, and learns nothing of the end of this one.
- (void)viewWillDisappear:(BOOL)animated { // expect: missing_super_call
    [self.fade fade];
}

- (void)volumeFadeDidEnd:(VolumeFade *)fade {
    self.title = @"Good night";
}

@end
