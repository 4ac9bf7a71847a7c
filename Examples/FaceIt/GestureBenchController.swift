import UIKit

/// A bench with a card to drag about; every gesture cleans up after itself.
final class GestureBenchController: UIViewController {
    private let scrollView = UIScrollView()
    private let card = FaceView()
    private lazy var fling = UISwipeGestureRecognizer(target: self, action: #selector(reset))

    override func loadView() {
        view = scrollView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        card.frame = CGRect(x: 40, y: 40, width: 120, height: 120)
        scrollView.contentSize = CGSize(width: 400, height: 800)
        scrollView.addSubview(card)
        card.addGestureRecognizer(UIPanGestureRecognizer(target: self, action: #selector(drag)))
        fling.direction = .down
        card.addGestureRecognizer(fling)
    }

    @objc private func drag(_ pan: UIPanGestureRecognizer) {
        switch pan.state {
        case .began:
            scrollView.isScrollEnabled = false
        case .changed:
            let step = pan.translation(in: scrollView)
            card.center = CGPoint(x: card.center.x + step.x, y: card.center.y + step.y)
            pan.setTranslation(.zero, in: scrollView)
        case .ended, .cancelled, .failed:
            scrollView.isScrollEnabled = true
        default:
            break
        }
    }

    @objc private func reset() {
        card.center = CGPoint(x: 100, y: 100)
    }

    func showBeside(_ portrait: PortraitController) {
        addChild(portrait)
        portrait.view.frame = CGRect(x: 200, y: 40, width: 120, height: 120)
        view.addSubview(portrait.view)
        portrait.didMove(toParent: self)
    }

    func hide(_ portrait: PortraitController) {
        portrait.willMove(toParent: nil)
        portrait.view.removeFromSuperview()
        portrait.removeFromParent()
    }
}

/// The same bench, where a telephone call leaves everything in the air.
final class CarelessBenchController: UIViewController {
    private let scrollView = UIScrollView()
    private let card = FaceView()

    override func loadView() {
        view = scrollView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        card.frame = CGRect(x: 40, y: 40, width: 120, height: 120)
        scrollView.contentSize = CGSize(width: 400, height: 800)
        scrollView.addSubview(card)
        card.addGestureRecognizer(UIPanGestureRecognizer(target: self, action: #selector(drag)))
        card.addGestureRecognizer(UILongPressGestureRecognizer(target: self, action: #selector(lift)))
        // The base class recognises nothing by itself; only its subclasses do.
        card.addGestureRecognizer(UIGestureRecognizer(target: self, action: #selector(turnOver))) // expect: abstract_recognizer
        // No view is ever asked to look for this swipe.
        let fling = UISwipeGestureRecognizer(target: self, action: #selector(turnOver)) // expect: gesture_not_attached
        fling.direction = .down
    }

    // The translation counts from the first touch, so the card runs away from the finger.
    @objc private func drag(_ pan: UIPanGestureRecognizer) { // expect: gesture_delta_accumulates
        guard pan.state == .changed else { return }
        let step = pan.translation(in: scrollView)
        card.center = CGPoint(x: card.center.x + step.x, y: card.center.y + step.y)
    }

    // A call that cancels the press leaves the bench locked, because only a regular end unlocks it.
    @objc private func lift(_ press: UILongPressGestureRecognizer) {
        if press.state == .began {
            scrollView.isScrollEnabled = false
        } else if press.state == .ended { // expect: gesture_end_unhandled
            scrollView.isScrollEnabled = true
        }
    }

    @objc private func turnOver() {
        card.eyesOpen.toggle()
    }

    func showFullScreen() {
        let portrait = PortraitController()
        portrait.modalPresentationStyle = .fullScreen
        // Nothing in the portrait takes it away again, and full screen has no swipe to do so.
        present(portrait, animated: true) // expect: modal_without_exit
    }

    func showFramed() {
        let frame = FramedPortraitController()
        frame.modalPresentationStyle = .fullScreen
        present(frame, animated: true)
    }

    func showBeside(_ portrait: PortraitController) {
        // Without addChild nobody owns the controller: its view stays, its actions go nowhere.
        view.addSubview(portrait.view) // expect: containment_handshake
    }
}

/// A face and nothing else.
final class PortraitController: UIViewController {
    override func loadView() {
        view = FaceView()
    }
}

/// A face that goes when it is tapped.
final class FramedPortraitController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        view.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(close)))
    }

    @objc private func close() {
        dismiss(animated: true)
    }
}
