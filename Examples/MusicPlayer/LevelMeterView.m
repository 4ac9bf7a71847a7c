#import "LevelMeterView.h"
#import <QuartzCore/QuartzCore.h>

@interface LevelMeterView ()
@property (strong, nonatomic) CADisplayLink *link;
@property (strong, nonatomic) CALayer *bar;
@end

@implementation LevelMeterView

- (instancetype)initWithFrame:(CGRect)frame {
    self = [super initWithFrame:frame];
    if (self) {
        _bar = [CALayer layer];
        _bar.backgroundColor = [UIColor greenColor].CGColor;
        [self.layer addSublayer:_bar];
    }
    return self;
}

// Right: the link runs while there is a window, and ends with it.
- (void)didMoveToWindow {
    [super didMoveToWindow];
    [self.link invalidate];
    self.link = nil;
    if (self.window) {
        self.link = [CADisplayLink displayLinkWithTarget:self selector:@selector(step:)];
        [self.link addToRunLoop:[NSRunLoop mainRunLoop] forMode:NSRunLoopCommonModes];
    }
}

- (void)layoutSubviews {
    [super layoutSubviews];
    [self showLevel];
}

- (void)step:(CADisplayLink *)link {
    [self showLevel];
}

- (void)showLevel {
    CGRect bounds = self.bounds;
    bounds.size.width *= self.level;
    self.bar.frame = bounds;
}

@end

@interface SleeplessMeterView ()
@property (strong, nonatomic) CADisplayLink *link;
@property (strong, nonatomic) CALayer *bar;
@end

@implementation SleeplessMeterView

- (instancetype)initWithFrame:(CGRect)frame {
    self = [super initWithFrame:frame];
    if (self) {
        // The run loop keeps the link and the link keeps the view; pausing below frees neither.
        _link = [CADisplayLink displayLinkWithTarget:self selector:@selector(step:)]; // expect: display_link_not_invalidated
        [_link addToRunLoop:[NSRunLoop mainRunLoop] forMode:NSRunLoopCommonModes];
    }
    return self;
}

- (void)didMoveToWindow {
    [super didMoveToWindow];
    self.link.paused = self.window == nil;
}

- (void)layoutSubviews {
    [super layoutSubviews];
    CALayer *bar = [CALayer layer];
    bar.backgroundColor = [UIColor greenColor].CGColor;
    // Every layout lays one more bar over those before.
    [self.layer addSublayer:bar]; // expect: repeated_setup
    self.bar = bar;
}

- (void)step:(CADisplayLink *)link {
    CGRect bounds = self.bounds;
    bounds.size.width *= self.level;
    self.bar.frame = bounds;
}

@end
