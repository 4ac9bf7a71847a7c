#import <UIKit/UIKit.h>
#import "VolumeFade.h"

/// Fades the music out and says good night.
@interface SleepViewController : UIViewController <VolumeFadeDelegate>

@property (strong, nonatomic) VolumeFade *fade;

@end

/// The same, and the fade may speak to it when it is gone.
@interface SleepwalkingViewController : UIViewController <VolumeFadeDelegate>

@property (strong, nonatomic) VolumeFade *fade;

@end
