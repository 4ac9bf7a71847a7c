#import "RemoteControl.h"
#import <MediaPlayer/MediaPlayer.h>
#import <UIKit/UIKit.h>

@interface RemoteControl ()
@property (strong, nonatomic) AVPlayer *player;
@property (strong, nonatomic) id playTarget;
@property (copy, nonatomic) void (^whenPaused)(void);
@end

@implementation RemoteControl

- (instancetype)initWithPlayer:(AVPlayer *)player {
    self = [super init];
    if (self) {
        _player = player;
        __weak typeof(self) weakSelf = self;
        // Right: the command centre lives as long as the app; its block holds nobody, and its target is removed below.
        _playTarget = [[MPRemoteCommandCenter sharedCommandCenter].playCommand addTargetWithHandler:^MPRemoteCommandHandlerStatus(MPRemoteCommandEvent *event) {
            [weakSelf.player play];
            return MPRemoteCommandHandlerStatusSuccess;
        }];
        [[MPRemoteCommandCenter sharedCommandCenter].pauseCommand addTarget:self action:@selector(pause:)];
        // Right: the object keeps the block, and the block does not keep the object.
        _whenPaused = ^{
            [weakSelf.player pause];
        };
    }
    return self;
}

- (void)dealloc {
    [[MPRemoteCommandCenter sharedCommandCenter].playCommand removeTarget:_playTarget];
    [[MPRemoteCommandCenter sharedCommandCenter].pauseCommand removeTarget:self];
}

- (MPRemoteCommandHandlerStatus)pause:(MPRemoteCommandEvent *)event {
    self.whenPaused();
    return MPRemoteCommandHandlerStatusSuccess;
}

@end

@interface ClingingRemoteControl ()
@property (strong, nonatomic) AVPlayer *player;
@property (copy, nonatomic) void (^whenPaused)(void);
@end

@implementation ClingingRemoteControl

- (instancetype)initWithPlayer:(AVPlayer *)player {
    self = [super init];
    if (self) {
        _player = player;
        // The object keeps the block, and the block keeps the object by naming its instance variable.
        _whenPaused = ^{ // expect: closure_retains_controller
            [_player pause];
        };
    }
    return self;
}

- (void)pause {
    self.whenPaused();
}

@end

@interface HauntedRemoteControl ()
@property (strong, nonatomic) AVPlayer *player;
@property (strong, nonatomic) id endToken;
@end

@implementation HauntedRemoteControl

- (instancetype)initWithPlayer:(AVPlayer *)player {
    self = [super init];
    if (self) {
        _player = player;
        // The command centre keeps this block, and with it the object, for the life of the app.
        [[MPRemoteCommandCenter sharedCommandCenter].playCommand addTargetWithHandler:^MPRemoteCommandHandlerStatus(MPRemoteCommandEvent *event) { // expect: closure_retains_controller
            [self.player play];
            return MPRemoteCommandHandlerStatusSuccess;
        }];
        // The method takes an event; no method has this name, so the first press ends the app.
        [[MPRemoteCommandCenter sharedCommandCenter].pauseCommand addTarget:self action:@selector(pause)]; // expect: selector_unresolved
        [self listen];
    }
    return self;
}

- (void)listen {
    NSNotificationCenter *center = [NSNotificationCenter defaultCenter];
    // The centre holds the block, the block holds the object, and dealloc waits for both.
    self.endToken = [center addObserverForName:AVPlayerItemDidPlayToEndTimeNotification // expect: closure_retains_controller
                                        object:nil
                                         queue:[NSOperationQueue mainQueue]
                                    usingBlock:^(NSNotification *notification) {
        [self.player seekToTime:kCMTimeZero];
    }];
    // The token is dropped, so the block can never be removed.
    [center addObserverForName:AVPlayerItemPlaybackStalledNotification object:nil queue:nil usingBlock:^(NSNotification *notification) { // expect: observation_token_discarded
        NSLog(@"stalled");
    }];
    // Nobody has asked the system's player to post this, so it stays silent.
    [center addObserver:self // expect: generation_not_begun
               selector:@selector(nowPlayingChanged:)
                   name:MPMusicPlayerControllerNowPlayingItemDidChangeNotification
                 object:nil];
}

- (void)dealloc {
    [[NSNotificationCenter defaultCenter] removeObserver:_endToken];
    [[NSNotificationCenter defaultCenter] removeObserver:self];
}

- (MPRemoteCommandHandlerStatus)pause:(MPRemoteCommandEvent *)event {
    [self.player pause];
    return MPRemoteCommandHandlerStatusSuccess;
}

- (void)nowPlayingChanged:(NSNotification *)notification {
    [self.player pause];
}

@end
