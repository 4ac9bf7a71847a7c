#import <Foundation/Foundation.h>
#import <AVFoundation/AVFoundation.h>

@class VolumeFade;

/// Is told when the music is silent.
@protocol VolumeFadeDelegate <NSObject>
- (void)volumeFadeDidEnd:(VolumeFade *)fade;
@end

/// Lowers the volume step by step. Older than ARC: it counts references itself.
@interface VolumeFade : NSObject {
    AVPlayer *player;
    NSArray *steps;
}

/// Older than weak references, too: it points to its delegate and does not notice when he goes.
@property (nonatomic, assign) id<VolumeFadeDelegate> delegate;

- (id)initWithPlayer:(AVPlayer *)aPlayer;
- (void)fade;

@end

/// The same, and it never frees what its base class holds.
@interface LeakyVolumeFade : VolumeFade {
    NSMutableArray *volumes;
}
@end
