#import <Foundation/Foundation.h>
#import <AVFoundation/AVFoundation.h>

/// The buttons of the lock screen and of headphones.
@interface RemoteControl : NSObject

- (instancetype)initWithPlayer:(AVPlayer *)player;

@end

/// A pause button that keeps itself alive.
@interface ClingingRemoteControl : NSObject

- (instancetype)initWithPlayer:(AVPlayer *)player;
- (void)pause;

@end

/// Buttons that work after their player is gone.
@interface HauntedRemoteControl : NSObject

- (instancetype)initWithPlayer:(AVPlayer *)player;

@end
