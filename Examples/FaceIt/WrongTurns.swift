import UIKit

/// What the debug menu shows in place of the screens that work, to see each mistake happen.
enum WrongTurns {
    static let all: [AnyClass] = [
        CarelessBenchController.self,
    ]
}
