import Foundation

/// One of the two cards of a pair.
struct Card: Equatable {
    let pair: Int
    var isFaceUp = false
    var isMatched = false
}

/// The rules of the game; a move that takes too long costs a point.
final class ConcentrationGame: NSObject {
    /// Posted on the main thread with the game as the object; `pointsKey` holds the change.
    static let didScore = Notification.Name("ConcentrationGameDidScore")
    static let pointsKey = "points"

    @objc dynamic private(set) var score = 0
    private(set) var flips = 0
    private(set) var cards: [Card]
    private var penalty: Timer?

    init(pairs: Int) {
        cards = (0..<pairs).flatMap { [Card(pair: $0), Card(pair: $0)] }.shuffled()
        super.init()
    }

    deinit {
        penalty?.invalidate()
    }

    private var onlyCardUp: Int? {
        let up = cards.indices.filter { cards[$0].isFaceUp && !cards[$0].isMatched }
        return up.count == 1 ? up.first : nil
    }

    func chooseCard(at index: Int) {
        guard cards.indices.contains(index), !cards[index].isMatched else { return }
        flips += 1
        if let other = onlyCardUp, other != index {
            cards[index].isFaceUp = true
            if cards[other].pair == cards[index].pair {
                cards[other].isMatched = true
                cards[index].isMatched = true
                add(2)
            }
        } else {
            for other in cards.indices { cards[other].isFaceUp = other == index }
        }
        startPenalty()
    }

    // Each move ends the timer of the last one, and the block holds the game weakly.
    private func startPenalty() {
        penalty?.invalidate()
        penalty = Timer.scheduledTimer(withTimeInterval: 10, repeats: true) { [weak self] _ in
            self?.add(-1)
        }
    }

    private func add(_ points: Int) {
        score += points
        NotificationCenter.default.post(name: Self.didScore, object: self, userInfo: [Self.pointsKey: points])
    }
}
