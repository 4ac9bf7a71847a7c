import UIKit

/// Hears when a card was held for a while.
protocol CardButtonDelegate: AnyObject {
    func cardButtonDidPeek(_ sender: CardButton)
}

/// A card on the table.
final class CardButton: UIButton {
    weak var delegate: CardButtonDelegate?
    private var touchStart: Date?

    override func awakeFromNib() {
        super.awakeFromNib()
        layer.cornerRadius = 8
    }

    func show(_ card: Card, emoji: String) {
        setTitle(card.isFaceUp ? emoji : "", for: .normal)
        backgroundColor = card.isFaceUp ? .white : .systemOrange
        isHidden = card.isMatched && !card.isFaceUp
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        touchStart = Date()
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesEnded(touches, with: event)
        if let touchStart, Date().timeIntervalSince(touchStart) > 1 {
            delegate?.cardButtonDidPeek(self)
        }
        touchStart = nil
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesCancelled(touches, with: event)
        touchStart = nil
    }
}

/// A card that lights up under the finger.
final class GlowingCardView: UIView {
    private(set) var isGlowing = false {
        didSet { setNeedsDisplay() }
    }

    override func draw(_ rect: CGRect) {
        (isGlowing ? UIColor.systemYellow : UIColor.systemOrange).setFill()
        UIBezierPath(roundedRect: bounds, cornerRadius: 8).fill()
    }

    // A scroll view or a call cancels the touch, and without touchesCancelled the card glows for ever.
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { // expect: gesture_end_unhandled
        super.touchesBegan(touches, with: event)
        isGlowing = true
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesEnded(touches, with: event)
        isGlowing = false
    }
}

/// A row of the high scores.
final class HighScoreCell: UITableViewCell {
    func fill(with score: Int, name: String) {
        textLabel?.text = name
        detailTextLabel?.text = "\(score)"
    }

    override func prepareForReuse() {
        super.prepareForReuse()
        textLabel?.text = nil
        detailTextLabel?.text = nil
    }
}
