#import <UIKit/UIKit.h>

/// One font of the list, with a dot when it is in use.
@interface FontCell : UITableViewCell

- (void)showFont:(UIFont *)font inUse:(BOOL)inUse;

@end

/// A cell that remembers fonts it no longer shows.
@interface ForgetfulFontCell : UITableViewCell

- (void)showFont:(UIFont *)font inUse:(BOOL)inUse;

@end
