import UIKit

/// What the debug menu shows in place of the screens that work, to see each mistake happen.
enum WrongTurns {
    static let all: [AnyClass] = [
        DanglingChartController.self,
        DoubledChartController.self,
        EagerGameController.self,
        EchoScoreController.self,
        GlowingCardView.self,
        GossipController.self,
        PracticeChartController.self,
        QuietScoreController.self,
        SwipedChartController.self,
        TangledSettingsController.self,
    ]
}
