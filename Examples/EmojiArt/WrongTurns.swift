import UIKit

/// What the debug menu shows in place of the screens that work, to see each mistake happen.
enum WrongTurns {
    static let all: [AnyClass] = [
        BadgeCell.self,
        BlockingImageController.self,
        DraftStatusController.self,
        ForgetfulPaletteController.self,
    ]
}
