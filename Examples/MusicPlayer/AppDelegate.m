#import "AppDelegate.h"
#import <AVFoundation/AVFoundation.h>
#import "PlayerViewController.h"
#import "RemoteControl.h"
#import "TrackQueue.h"
#import "VolumeFade.h"

@interface AppDelegate ()
@property (strong, nonatomic) TrackQueue *queue;
@property (nonatomic) NSUInteger plays;
@end

@implementation AppDelegate

- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
    [[AVAudioSession sharedInstance] setCategory:AVAudioSessionCategoryPlayback error:nil];
    self.queue = [[TrackQueue alloc] initWithURLs:[[NSBundle mainBundle] URLsForResourcesWithExtension:@"m4a" subdirectory:nil]];
    PlayerViewController *player = [[PlayerViewController alloc] initWithQueue:self.queue];
    self.window = [[UIWindow alloc] initWithFrame:[UIScreen mainScreen].bounds];
    self.window.rootViewController = [[UINavigationController alloc] initWithRootViewController:player];
    [self.window makeKeyAndVisible];
    // Right: the delegate lives as long as the app and registers once, so nothing has to be removed.
    [[NSNotificationCenter defaultCenter] addObserver:self
                                             selector:@selector(countPlay:)
                                                 name:AVPlayerItemDidPlayToEndTimeNotification
                                               object:nil];
    return YES;
}

- (void)countPlay:(NSNotification *)notification {
    self.plays += 1;
}

// A suspended app is killed without a word, so the count of most runs is lost.
- (void)applicationWillTerminate:(UIApplication *)application { // expect: save_only_in_will_terminate
    [[NSUserDefaults standardUserDefaults] setInteger:self.plays forKey:@"plays"];
}

/// The remote control of a screen, by its name: the listener may try the wrong ones as well.
- (id)remoteControlNamed:(NSString *)name forPlayer:(AVPlayer *)player {
    if ([name isEqualToString:@"clinging"]) {
        return [[ClingingRemoteControl alloc] initWithPlayer:player];
    }
    if ([name isEqualToString:@"haunted"]) {
        return [[HauntedRemoteControl alloc] initWithPlayer:player];
    }
    return [[RemoteControl alloc] initWithPlayer:player];
}

/// The fades that the settings offer.
- (NSArray<Class> *)fades {
    return @[[VolumeFade class], [LeakyVolumeFade class]];
}

@end
