#import <UIKit/UIKit.h>

/// How many characters of a text are coloured and outlined.
@interface TextStatsViewController : UIViewController

@property (strong, nonatomic) NSAttributedString *textToAnalyze;
@property (weak, nonatomic) IBOutlet UILabel *colorfulCharactersLabel;
@property (weak, nonatomic) IBOutlet UILabel *outlinedCharactersLabel;

- (void)updateUI;

@end

/// Counts that stop following the text.
@interface DeafStatsViewController : TextStatsViewController
@end
