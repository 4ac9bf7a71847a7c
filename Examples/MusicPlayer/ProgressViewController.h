#import <UIKit/UIKit.h>
#import <AVFoundation/AVFoundation.h>

/// Shows how much of a track has been played.
@interface ProgressViewController : UIViewController

@property (strong, nonatomic) AVPlayer *player;
@property (strong, nonatomic, readonly) UIProgressView *bar;

- (void)showProgress;

@end

/// A bar that keeps its own screen alive.
@interface ImmortalProgressViewController : ProgressViewController
@end

/// A bar that moves faster with each visit.
@interface HurriedProgressViewController : ProgressViewController
@end

/// A clock beside the bar that nobody can stop.
@interface EndlessClockViewController : UIViewController
@end

/// A clock beside the bar, with one timer that ends by itself and one that never starts.
@interface DrowsyClockViewController : UIViewController
@end
