#import "PlayerViewController.h"
#import <AVFoundation/AVFoundation.h>

static void *PlayerRateContext = &PlayerRateContext;

@interface PlayerViewController ()
@property (strong, nonatomic) TrackQueue *queue;
@property (strong, nonatomic) AVPlayer *player;
@property (strong, nonatomic) id interruptionToken;
@end

@implementation PlayerViewController

- (instancetype)initWithQueue:(TrackQueue *)queue {
    self = [super initWithNibName:nil bundle:nil];
    if (self) {
        _queue = queue;
        _player = [[AVPlayer alloc] init];
    }
    return self;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.queue.delegate = self;
    UITapGestureRecognizer *tap = [[UITapGestureRecognizer alloc] initWithTarget:self action:@selector(togglePlaying:)];
    [self.view addGestureRecognizer:tap];
}

// Right: what is added here is removed by the mirror of this method, and the title is read again.
- (void)viewWillAppear:(BOOL)animated {
    [super viewWillAppear:animated];
    [self showRate];
    [self.player addObserver:self forKeyPath:@"rate" options:0 context:PlayerRateContext];
    __weak typeof(self) weakSelf = self;
    self.interruptionToken = [[NSNotificationCenter defaultCenter] addObserverForName:AVAudioSessionInterruptionNotification
                                                                               object:[AVAudioSession sharedInstance]
                                                                                queue:[NSOperationQueue mainQueue]
                                                                           usingBlock:^(NSNotification *notification) {
        [weakSelf.player pause];
    }];
}

- (void)viewWillDisappear:(BOOL)animated {
    [super viewWillDisappear:animated];
    [self.player removeObserver:self forKeyPath:@"rate" context:PlayerRateContext];
    [[NSNotificationCenter defaultCenter] removeObserver:self.interruptionToken];
    self.interruptionToken = nil;
}

// Right: what this class observes it handles, and the rest belongs to the base class.
- (void)observeValueForKeyPath:(NSString *)keyPath ofObject:(id)object change:(NSDictionary *)change context:(void *)context {
    if (context == PlayerRateContext) {
        [self showRate];
    } else {
        [super observeValueForKeyPath:keyPath ofObject:object change:change context:context];
    }
}

- (void)showRate {
    self.title = self.player.rate > 0 ? @"Playing" : @"Paused";
}

- (void)togglePlaying:(UITapGestureRecognizer *)tap {
    if (self.player.rate > 0) {
        [self.player pause];
    } else {
        [self trackQueue:self.queue didMoveToURL:self.queue.currentURL];
    }
}

- (void)trackQueue:(TrackQueue *)queue didMoveToURL:(NSURL *)url {
    if (url) {
        [self.player replaceCurrentItemWithPlayerItem:[AVPlayerItem playerItemWithURL:url]];
        [self.player play];
    }
}

@end

static void *SingleRateContext = &SingleRateContext;
static void *SingleVolumeContext = &SingleVolumeContext;

@interface SinglePlayerViewController ()
@property (strong, nonatomic) AVPlayer *player;
@property (strong, nonatomic) id interruptionToken;
@end

@implementation SinglePlayerViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    self.player = [[AVPlayer alloc] init];
    [self.player addObserver:self forKeyPath:@"rate" options:0 context:SingleRateContext];
    // Nothing removes this one: a change after the end of this screen is sent to freed memory.
    [self.player addObserver:self forKeyPath:@"volume" options:0 context:SingleVolumeContext]; // expect: kvo_not_removed
    __weak typeof(self) weakSelf = self;
    // The centre keeps the block until it gets this token back, which never happens.
    self.interruptionToken = [[NSNotificationCenter defaultCenter] addObserverForName:AVAudioSessionInterruptionNotification // expect: observation_token_not_removed
                                                                               object:[AVAudioSession sharedInstance]
                                                                                queue:[NSOperationQueue mainQueue]
                                                                           usingBlock:^(NSNotification *notification) {
        [weakSelf.player pause];
    }];
    // The session posts this on a thread of its own, and the handler changes the title.
    [[NSNotificationCenter defaultCenter] addObserver:self // expect: observer_queue_unspecified
                                             selector:@selector(routeChanged:)
                                                 name:AVAudioSessionRouteChangeNotification
                                               object:nil];
}

- (void)viewWillDisappear:(BOOL)animated {
    [super viewWillDisappear:animated];
    // The view is loaded once and disappears often; the second removal ends the app.
    [self.player removeObserver:self forKeyPath:@"rate" context:SingleRateContext]; // expect: kvo_unbalanced
}

- (void)viewDidDisappear:(BOOL)animated {
    [super viewDidDisappear:animated];
    // Headphones that are pulled out after the return to this screen do not pause the music.
    [[NSNotificationCenter defaultCenter] removeObserver:self // expect: observer_unbalanced
                                                    name:AVAudioSessionRouteChangeNotification
                                                  object:nil];
}

// This is the end of the object; it removes the observers of this object, and the token is another one.
- (void)dealloc {
    [[NSNotificationCenter defaultCenter] removeObserver:self];
}

- (void)observeValueForKeyPath:(NSString *)keyPath ofObject:(id)object change:(NSDictionary *)change context:(void *)context {
    if (context == SingleRateContext) {
        // The options ask for no values, so there is none in the change.
        self.title = [change[NSKeyValueChangeNewKey] floatValue] > 0 ? @"Playing" : @"Paused"; // expect: kvo_option_missing
    } else if (context == SingleVolumeContext) {
        self.title = @"Louder or softer";
    } else {
        [super observeValueForKeyPath:keyPath ofObject:object change:change context:context];
    }
}

- (void)routeChanged:(NSNotification *)notification {
    self.title = @"Other speaker";
}

@end

@interface ShufflePlayerViewController ()
@property (strong, nonatomic) Shuffle *shuffle;
@property (strong, nonatomic) AVPlayer *player;
@end

@implementation ShufflePlayerViewController

- (instancetype)initWithURLs:(NSArray<NSURL *> *)urls {
    self = [super initWithNibName:nil bundle:nil];
    if (self) {
        _shuffle = [[Shuffle alloc] initWithURLs:urls];
        _player = [[AVPlayer alloc] init];
    }
    return self;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.shuffle.delegate = self;
}

- (void)motionEnded:(UIEventSubtype)motion withEvent:(UIEvent *)event {
    [self.shuffle choose];
}

- (void)shuffleDidChooseURL:(NSURL *)url {
    [self.player replaceCurrentItemWithPlayerItem:[AVPlayerItem playerItemWithURL:url]];
    [self.player play];
}

@end
