#import "AppDelegate.h"
#import "EditLog.h"

@interface AppDelegate ()
@property (nonatomic) NSUInteger fontChanges;
@end

@implementation AppDelegate

- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
    self.window.tintColor = [UIColor purpleColor];
    // Right: the delegate lives as long as the app and registers once, so nothing has to be removed.
    [[NSNotificationCenter defaultCenter] addObserver:self
                                             selector:@selector(countFontChange:)
                                                 name:UIContentSizeCategoryDidChangeNotification
                                               object:nil];
    return YES;
}

- (void)countFontChange:(NSNotification *)notification {
    self.fontChanges += 1;
}

/// The logs that the settings offer.
- (NSArray<Class> *)logs {
    return @[[EditLog class], [NosyEditLog class]];
}

@end
