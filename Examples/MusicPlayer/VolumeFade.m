#import "VolumeFade.h"

// This file is compiled with -fno-objc-arc.
@implementation VolumeFade

- (id)initWithPlayer:(AVPlayer *)aPlayer {
    self = [super init];
    if (self) {
        player = [aPlayer retain];
        steps = [[NSArray alloc] initWithObjects:@0.75f, @0.5f, @0.25f, @0.0f, nil];
    }
    return self;
}

- (void)fade {
    for (NSNumber *step in steps) {
        player.volume = [step floatValue];
    }
    [self.delegate volumeFadeDidEnd:self];
}

// Right: without ARC the last line frees the object itself.
- (void)dealloc {
    [player release];
    [steps release];
    [super dealloc];
}

@end

@implementation LeakyVolumeFade

- (id)initWithPlayer:(AVPlayer *)aPlayer {
    self = [super initWithPlayer:aPlayer];
    if (self) {
        volumes = [[NSMutableArray alloc] init];
    }
    return self;
}

- (void)fade {
    [volumes addObject:@(player.volume)];
    [super fade];
}

// The object is never freed, and neither are the player and the steps of its base class.
- (void)dealloc { // expect: missing_super_call
    [volumes release];
}

@end
