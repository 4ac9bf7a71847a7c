#import "WrongTurns.h"
#import "PlayerViewController.h"
#import "ProgressViewController.h"
#import "LevelMeterView.h"
#import "SleepViewController.h"

NSArray<Class> *WrongTurns(void) {
    return @[
        [DrowsyClockViewController class],
        [EndlessClockViewController class],
        [HurriedProgressViewController class],
        [ImmortalProgressViewController class],
        [SinglePlayerViewController class],
        [SleeplessMeterView class],
        [SleepwalkingViewController class],
    ];
}
