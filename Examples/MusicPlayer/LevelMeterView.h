#import <UIKit/UIKit.h>

/// A bar that follows the loudness, frame by frame.
@interface LevelMeterView : UIView

/// Between 0 and 1.
@property (nonatomic) CGFloat level;

@end

/// A bar that follows the loudness long after anybody can see it.
@interface SleeplessMeterView : UIView

@property (nonatomic) CGFloat level;

@end
