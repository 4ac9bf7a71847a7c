#import <UIKit/UIKit.h>

/// All fonts of the device, those for the body first.
@interface FontListViewController : UITableViewController

- (void)reloadFonts:(NSNotification *)notification;

@end

/// A list that takes away what its base class still needs.
@interface CarelessFontListViewController : FontListViewController
@end
