#import <UIKit/UIKit.h>

/// Makes the window and gives the player its tracks.
@interface AppDelegate : UIResponder <UIApplicationDelegate>

@property (strong, nonatomic) UIWindow *window;

@end
