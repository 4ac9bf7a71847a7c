#import <UIKit/UIKit.h>
#import "TrackQueue.h"

/// Plays the tracks of a queue, and pauses for phone calls.
@interface PlayerViewController : UIViewController <TrackQueueDelegate>

- (instancetype)initWithQueue:(TrackQueue *)queue;

@end

/// Plays one track, and loses count of who listens to whom.
@interface SinglePlayerViewController : UIViewController
@end

/// Plays tracks by chance, and is never freed.
@interface ShufflePlayerViewController : UIViewController <ShuffleDelegate>

- (instancetype)initWithURLs:(NSArray<NSURL *> *)urls;

@end
