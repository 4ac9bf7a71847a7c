import UIKit

/// What the debug menu shows in place of the screens that work, to see each mistake happen.
enum WrongTurns {
    static let all: [AnyClass] = [
        BookmarkBoardController.self,
        BusySkyController.self,
        DeafRingController.self,
        FixedRingController.self,
        HurriedImageController.self,
        RunawayOrbitController.self,
    ]
}
