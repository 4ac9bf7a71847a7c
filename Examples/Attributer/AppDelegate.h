#import <UIKit/UIKit.h>

/// Keeps the window that the storyboard fills.
@interface AppDelegate : UIResponder <UIApplicationDelegate>

@property (strong, nonatomic) UIWindow *window;

@end
