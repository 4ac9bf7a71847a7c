#import <UIKit/UIKit.h>

/// What the debug menu shows in place of the screens that work, to see each mistake happen.
NSArray<Class> *WrongTurns(void);
