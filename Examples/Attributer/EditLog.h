#import <UIKit/UIKit.h>

/// How often a text was edited.
@interface EditLog : NSObject

@property (nonatomic, readonly) NSUInteger count;

- (instancetype)initWithTextView:(UITextView *)textView;

@end

/// A log that writes down everything.
@interface NosyEditLog : NSObject

@property (nonatomic, readonly) NSUInteger count;

@end

/// A log that never stops listening.
@interface LooseEditLog : NSObject

@property (nonatomic, readonly) NSUInteger count;

@end
