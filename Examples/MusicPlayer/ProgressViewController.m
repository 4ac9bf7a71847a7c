#import "ProgressViewController.h"

@interface ProgressViewController ()
@property (strong, nonatomic) UIProgressView *bar;
@property (strong, nonatomic) NSTimer *timer;
@end

@implementation ProgressViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    self.bar = [[UIProgressView alloc] initWithProgressViewStyle:UIProgressViewStyleDefault];
    [self.view addSubview:self.bar];
}

- (void)viewDidLayoutSubviews {
    [super viewDidLayoutSubviews];
    self.bar.frame = CGRectMake(20, 100, CGRectGetWidth(self.view.bounds) - 40, 4);
}

// Right: a cancelled swipe appears again without having disappeared, so the old timer is ended first.
- (void)viewWillAppear:(BOOL)animated {
    [super viewWillAppear:animated];
    [self stop];
    self.timer = [NSTimer scheduledTimerWithTimeInterval:0.5 target:self selector:@selector(tick:) userInfo:nil repeats:YES];
    // Right: a timer that fires once ends by itself.
    [NSTimer scheduledTimerWithTimeInterval:3 target:self selector:@selector(dim:) userInfo:nil repeats:NO];
}

- (void)viewWillDisappear:(BOOL)animated {
    [super viewWillDisappear:animated];
    [self stop];
}

- (void)stop {
    [self.timer invalidate];
    self.timer = nil;
}

- (void)tick:(NSTimer *)timer {
    [self showProgress];
}

- (void)dim:(NSTimer *)timer {
    self.bar.alpha = 0.5;
}

- (void)showProgress {
    Float64 total = CMTimeGetSeconds(self.player.currentItem.duration);
    self.bar.progress = total > 0 ? CMTimeGetSeconds(self.player.currentTime) / total : 0;
}

@end

@interface ImmortalProgressViewController ()
@property (strong, nonatomic) NSTimer *glow;
@end

@implementation ImmortalProgressViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    // The run loop keeps the timer and the timer keeps its target, so dealloc never runs.
    self.glow = [NSTimer scheduledTimerWithTimeInterval:1 target:self selector:@selector(glow:) userInfo:nil repeats:YES]; // expect: timer_retains_controller
    [self poll];
}

- (void)dealloc {
    [_glow invalidate];
    [NSObject cancelPreviousPerformRequestsWithTarget:self];
}

- (void)glow:(NSTimer *)timer {
    self.bar.tintColor = [UIColor orangeColor];
}

- (void)poll {
    [self showProgress];
    // Each call asks for the next one, and the run loop keeps the object for all of them.
    [self performSelector:@selector(poll) withObject:nil afterDelay:5]; // expect: timer_retains_controller
}

@end

@interface HurriedProgressViewController ()
@property (strong, nonatomic) NSTimer *pulse;
@end

@implementation HurriedProgressViewController

- (void)viewWillAppear:(BOOL)animated {
    [super viewWillAppear:animated];
    // When a swipe back is cancelled the old timer still runs; this forgets it, and nothing can end it any more.
    self.pulse = [NSTimer scheduledTimerWithTimeInterval:1 target:self selector:@selector(beat:) userInfo:nil repeats:YES]; // expect: timer_rescheduled
}

- (void)viewDidDisappear:(BOOL)animated {
    [super viewDidDisappear:animated];
    [self.pulse invalidate];
    // An invalidated timer is dead; this does not beat one last time.
    [self.pulse fire]; // expect: timer_used_after_invalidate
    self.pulse = nil;
}

- (void)beat:(NSTimer *)timer {
    [self showProgress];
}

@end

@implementation EndlessClockViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    // Nobody keeps this timer, so nobody can end it, and the screen lives as long as it ticks.
    [NSTimer scheduledTimerWithTimeInterval:1 target:self selector:@selector(tock:) userInfo:nil repeats:YES]; // expect: timer_not_invalidated
}

- (void)tock:(NSTimer *)timer {
    self.title = [NSDate date].description;
}

@end

@interface DrowsyClockViewController ()
@property (strong, nonatomic) NSTimer *late;
@end

@implementation DrowsyClockViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    __weak typeof(self) weakSelf = self;
    // Right: the block ends its own timer when the screen is gone.
    [NSTimer scheduledTimerWithTimeInterval:5 repeats:YES block:^(NSTimer *timer) {
        typeof(self) strongSelf = weakSelf;
        if (!strongSelf) {
            [timer invalidate];
            return;
        }
        [strongSelf showTime];
    }];
}

- (void)viewDidAppear:(BOOL)animated {
    [super viewDidAppear:animated];
    [self.late invalidate];
    // No run loop knows this timer, so it never fires.
    self.late = [NSTimer timerWithTimeInterval:2 target:self selector:@selector(tock:) userInfo:nil repeats:YES]; // expect: timer_not_scheduled
}

- (void)viewWillDisappear:(BOOL)animated {
    [super viewWillDisappear:animated];
    [self.late invalidate];
    self.late = nil;
}

- (void)tock:(NSTimer *)timer {
    [self showTime];
}

- (void)showTime {
    self.title = [NSDate date].description;
}

@end
