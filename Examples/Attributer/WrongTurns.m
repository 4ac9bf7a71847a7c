#import "WrongTurns.h"
#import "AttributerViewController.h"
#import "FontListViewController.h"
#import "FontCell.h"
#import "PaletteViewController.h"
#import "TextStatsViewController.h"

NSArray<Class> *WrongTurns(void) {
    return @[
        [CarelessFontListViewController class],
        [DeafStatsViewController class],
        [ForgetfulFontCell class],
        [HastyAttributerViewController class],
        [StickyPaletteViewController class],
    ];
}
