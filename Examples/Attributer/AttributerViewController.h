#import <UIKit/UIKit.h>

/// A text whose selection is coloured and outlined.
@interface AttributerViewController : UIViewController

@property (weak, nonatomic) IBOutlet UITextView *body;
@property (weak, nonatomic) IBOutlet UILabel *headline;
@property (weak, nonatomic) IBOutlet UIButton *outlineButton;

- (void)usePreferredFonts;

@end

/// The same text by somebody in a hurry: what it sets up comes too early or too often.
@interface HastyAttributerViewController : AttributerViewController
@end
