import UIKit

/// Hears about each change of an `EmojiArtView`.
protocol EmojiArtViewDelegate: AnyObject {
    func emojiArtViewDidChange(_ sender: EmojiArtView)
}

/// An emoji on the canvas, which counts its moves because UIKit promises no observing of `center`.
final class EmojiLabel: UILabel {
    @objc dynamic var moves = 0
}

/// The canvas: a background picture and the emoji dropped on it.
final class EmojiArtView: UIView, UIDropInteractionDelegate {
    weak var delegate: EmojiArtViewDelegate?
    var backgroundImage: UIImage? {
        didSet { setNeedsDisplay() }
    }
    private var labelObservations: [UIView: NSKeyValueObservation] = [:]

    override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        backgroundColor = .systemBackground
        addInteraction(UIDropInteraction(delegate: self))
    }

    override func draw(_ rect: CGRect) {
        backgroundImage?.draw(in: bounds)
    }

    func addEmoji(_ text: String, at point: CGPoint, size: CGFloat) {
        let label = EmojiLabel()
        label.text = text
        label.font = .systemFont(ofSize: size)
        label.sizeToFit()
        label.center = point
        label.isUserInteractionEnabled = true
        label.addGestureRecognizer(UIPanGestureRecognizer(target: self, action: #selector(moveEmoji)))
        addSubview(label)
        // The dictionary keeps the token; it goes with the label, or with this view.
        labelObservations[label] = label.observe(\.moves) { [weak self] _, _ in self?.announceChange() }
        announceChange()
    }

    func removeEmojis() {
        for label in Array(labelObservations.keys) {
            label.removeFromSuperview()
        }
    }

    override func willRemoveSubview(_ subview: UIView) {
        super.willRemoveSubview(subview)
        labelObservations[subview] = nil
    }

    @objc private func moveEmoji(_ pan: UIPanGestureRecognizer) {
        guard let label = pan.view as? EmojiLabel else { return }
        switch pan.state {
        case .changed, .ended:
            let step = pan.translation(in: self)
            label.center = CGPoint(x: label.center.x + step.x, y: label.center.y + step.y)
            pan.setTranslation(.zero, in: self)
            label.moves += 1
        default:
            break
        }
    }

    private func announceChange() {
        delegate?.emojiArtViewDidChange(self)
        NotificationCenter.default.post(name: .emojiArtViewDidChange, object: self)
    }

    func dropInteraction(_ interaction: UIDropInteraction, canHandle session: UIDropSession) -> Bool {
        session.canLoadObjects(ofClass: NSString.self)
    }

    func dropInteraction(_ interaction: UIDropInteraction, sessionDidUpdate session: UIDropSession) -> UIDropProposal {
        UIDropProposal(operation: .copy)
    }

    func dropInteraction(_ interaction: UIDropInteraction, performDrop session: UIDropSession) {
        let point = session.location(in: self)
        session.loadObjects(ofClass: NSString.self) { strings in
            for case let string as String in strings {
                self.addEmoji(string, at: point, size: 40)
            }
        }
    }
}

// A value type may adopt it, so the property below could never be made weak.
protocol StampViewDelegate { // expect: delegate_protocol_unconstrained
    func stampViewDidChange(_ sender: StampView)
}

/// A canvas for stamps that watches what UIKit does not promise to announce.
final class StampView: UIView {
    var delegate: StampViewDelegate? // expect: strong_delegate
    private var stampObservations: [UIView: NSKeyValueObservation] = [:]

    func addStamp(_ stamp: UILabel) {
        addSubview(stamp)
        // UIKit may move a view without going through the setter of center, so some moves are missed.
        stampObservations[stamp] = stamp.observe(\.center) { [weak self] _, _ in // expect: kvo_not_observable
            guard let self else { return }
            self.delegate?.stampViewDidChange(self)
        }
    }

    func watch(_ progress: DrawingProgress) {
        // The observation ends at the end of this line, before the first change.
        _ = progress.observe(\.emojiCount) { [weak self] _, _ in // expect: observation_token_discarded
            self?.backgroundColor = .systemYellow
        }
    }

    override func willRemoveSubview(_ subview: UIView) {
        super.willRemoveSubview(subview)
        stampObservations[subview] = nil
    }
}

/// Counts the stamps of one canvas.
final class StampCounter: StampViewDelegate {
    private(set) var changes = 0

    func stampViewDidChange(_ sender: StampView) {
        changes += 1
    }
}
