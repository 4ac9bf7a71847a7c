#import "TrackQueue.h"

@interface TrackQueue ()
@property (copy, nonatomic) NSArray<NSURL *> *urls;
@property (nonatomic) NSUInteger position;
@end

@implementation TrackQueue

- (instancetype)initWithURLs:(NSArray<NSURL *> *)urls {
    self = [super init];
    if (self) {
        _urls = [urls copy];
    }
    return self;
}

- (NSURL *)currentURL {
    return self.position < self.urls.count ? self.urls[self.position] : nil;
}

- (void)moveToNext {
    if (self.urls.count == 0) {
        return;
    }
    self.position = (self.position + 1) % self.urls.count;
    [self.delegate trackQueue:self didMoveToURL:self.currentURL];
}

@end

@interface Shuffle ()
@property (copy, nonatomic) NSArray<NSURL *> *urls;
@end

@implementation Shuffle

- (instancetype)initWithURLs:(NSArray<NSURL *> *)urls {
    self = [super init];
    if (self) {
        _urls = [urls copy];
    }
    return self;
}

- (void)choose {
    if (self.urls.count > 0) {
        [self.delegate shuffleDidChooseURL:self.urls[arc4random_uniform((uint32_t)self.urls.count)]];
    }
}

@end
