#import <UIKit/UIKit.h>
#import "PaletteView.h"

/// Lets the user pick a colour for the selection.
@interface PaletteViewController : UIViewController <PaletteDelegate>

/// Called with each colour that is picked.
@property (copy, nonatomic) void (^onPick)(UIColor *color);

@end

/// The same with a palette and blocks that keep the controller alive.
@interface StickyPaletteViewController : UIViewController <PaletteDelegate>

@property (copy, nonatomic) void (^onPick)(UIColor *color);

@end
