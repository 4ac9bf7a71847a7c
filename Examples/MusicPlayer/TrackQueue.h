#import <Foundation/Foundation.h>

@class TrackQueue;

/// Is told when another track is to be played.
@protocol TrackQueueDelegate <NSObject>
- (void)trackQueue:(TrackQueue *)queue didMoveToURL:(NSURL *)url;
@end

/// The tracks in the order in which they are played.
@interface TrackQueue : NSObject

// Right: who shows the queue keeps it, so the queue does not keep him.
@property (weak, nonatomic) id<TrackQueueDelegate> delegate;
@property (strong, nonatomic, readonly) NSURL *currentURL;

- (instancetype)initWithURLs:(NSArray<NSURL *> *)urls;
- (void)moveToNext;

@end

/// Is told when another track is chosen by chance.
@protocol ShuffleDelegate <NSObject>
- (void)shuffleDidChooseURL:(NSURL *)url;
@end

/// The tracks in an order that chance decides.
@interface Shuffle : NSObject

// The screen that keeps this object is its delegate, so each keeps the other.
@property (strong, nonatomic) id<ShuffleDelegate> delegate; // expect: strong_delegate

- (instancetype)initWithURLs:(NSArray<NSURL *> *)urls;
- (void)choose;

@end
