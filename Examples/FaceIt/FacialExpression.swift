/// A mood as the model sees it; it knows nothing about points or paths.
struct FacialExpression: Equatable {
    enum Eyes: Equatable {
        case open, closed, squinting
    }

    enum Mouth: Int, CaseIterable {
        case frown, smirk, neutral, grin, smile

        var sadder: Mouth { Mouth(rawValue: rawValue - 1) ?? .frown }
        var happier: Mouth { Mouth(rawValue: rawValue + 1) ?? .smile }
    }

    var eyes: Eyes
    var mouth: Mouth

    var happier: FacialExpression { FacialExpression(eyes: eyes, mouth: mouth.happier) }
    var sadder: FacialExpression { FacialExpression(eyes: eyes, mouth: mouth.sadder) }

    var toggled: FacialExpression {
        FacialExpression(eyes: eyes == .open ? .closed : .open, mouth: mouth)
    }
}

extension FacialExpression: CustomStringConvertible {
    var description: String {
        switch mouth {
        case .frown: return "unhappy"
        case .smirk: return "doubtful"
        case .neutral: return "calm"
        case .grin, .smile: return "cheerful"
        }
    }
}

/// A mood with a name, as the list of emotions shows it.
struct Emotion {
    let name: String
    let expression: FacialExpression

    static let all = [
        Emotion(name: "Happy", expression: FacialExpression(eyes: .open, mouth: .smile)),
        Emotion(name: "Sad", expression: FacialExpression(eyes: .closed, mouth: .frown)),
        Emotion(name: "Worried", expression: FacialExpression(eyes: .open, mouth: .smirk)),
        Emotion(name: "Sleepy", expression: FacialExpression(eyes: .squinting, mouth: .neutral)),
    ]
}
