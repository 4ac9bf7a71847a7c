#import "EditLog.h"

@implementation EditLog

// Right: one name, one sender, and an end.
- (instancetype)initWithTextView:(UITextView *)textView {
    self = [super init];
    if (self) {
        [[NSNotificationCenter defaultCenter] addObserver:self
                                                 selector:@selector(textChanged:)
                                                     name:UITextViewTextDidChangeNotification
                                                   object:textView];
    }
    return self;
}

- (void)dealloc {
    [[NSNotificationCenter defaultCenter] removeObserver:self];
}

- (void)textChanged:(NSNotification *)notification {
    _count += 1;
}

@end

@implementation NosyEditLog

- (instancetype)init {
    self = [super init];
    if (self) {
        // With neither a name nor a sender this hears of everything, on any thread.
        [[NSNotificationCenter defaultCenter] addObserver:self selector:@selector(log:) name:nil object:nil]; // expect: observer_too_broad
    }
    return self;
}

- (void)dealloc {
    [[NSNotificationCenter defaultCenter] removeObserver:self];
}

- (void)log:(NSNotification *)notification {
    _count += 1;
}

@end

@implementation LooseEditLog

- (instancetype)init {
    self = [super init];
    if (self) {
        // Before iOS 9 the next edit after the end of this log would crash the app.
        [[NSNotificationCenter defaultCenter] addObserver:self // expect: observer_not_removed
                                                 selector:@selector(textChanged:)
                                                     name:UITextViewTextDidChangeNotification
                                                   object:nil];
    }
    return self;
}

- (void)textChanged:(NSNotification *)notification {
    _count += 1;
}

@end
