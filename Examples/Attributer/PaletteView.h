#import <UIKit/UIKit.h>

/// Is told which colour was picked.
@protocol PaletteDelegate <NSObject>
- (void)palette:(UIView *)palette didPickColor:(UIColor *)color;
@end

/// A row of colours.
@interface PaletteView : UIView

// Right: the owner of the palette is its delegate, and the palette does not own it in turn.
@property (weak, nonatomic) id<PaletteDelegate> delegate;
@property (copy, nonatomic) NSArray<UIColor *> *colors;

@end

/// A row of colours that never lets its delegate go.
@interface GreedyPaletteView : UIView

// The controller keeps the palette and the palette keeps the controller: neither is ever freed.
@property (strong, nonatomic) id<PaletteDelegate> delegate; // expect: strong_delegate
// What is drawn depends on this, and its setter draws by hand instead of asking for it.
@property (copy, nonatomic) NSArray<UIColor *> *colors; // expect: needs_display_missing

@end
