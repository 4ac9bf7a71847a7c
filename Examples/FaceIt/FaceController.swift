import UIKit

/// Shows one expression, and lets gestures change it.
class FaceController: UIViewController {
    /// Posted by a face on the main thread, with itself as the object.
    static let didChangeMood = Notification.Name("FaceDidChangeMood")

    /// True until the user or a segue has chosen an expression.
    private(set) var isUntouched = true

    @IBOutlet private weak var faceView: FaceView! {
        didSet {
            faceView.addGestureRecognizer(
                UIPinchGestureRecognizer(target: faceView, action: #selector(FaceView.resize(with:))))
            faceView.addGestureRecognizer(
                UIRotationGestureRecognizer(target: faceView, action: #selector(FaceView.turn(with:))))
            faceView.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(toggleEyes)))
            let up = UISwipeGestureRecognizer(target: self, action: #selector(cheerUp))
            up.direction = .up
            faceView.addGestureRecognizer(up)
            // The first value never reached expression's didSet, so the outlet shows it.
            showExpression()
        }
    }

    var expression = FacialExpression(eyes: .open, mouth: .grin) {
        didSet {
            isUntouched = false
            showExpression()
            NotificationCenter.default.post(name: Self.didChangeMood, object: self)
        }
    }

    // Right: a segue may set the expression before there is a view, hence the optional chaining.
    private func showExpression() {
        faceView?.eyesOpen = expression.eyes == .open
        faceView?.curvature = CGFloat(expression.mouth.rawValue - 2) / 2
    }

    @objc private func toggleEyes(_ tap: UITapGestureRecognizer) {
        if tap.state == .ended { expression = expression.toggled }
    }

    @objc private func cheerUp() {
        expression = expression.happier
    }
}

/// A face on a bench, which touches its outlets before they are there and redraws by hand.
final class SketchController: UIViewController {
    @IBOutlet private weak var sketchView: SketchFaceView!
    @IBOutlet private weak var moodLabel: UILabel!
    @IBOutlet private weak var eyesSwitch: UISwitch!

    var eyesOpen = true {
        didSet {
            // A segue sets this before the view is loaded, and the outlet is still nil.
            eyesSwitch.isOn = eyesOpen // expect: outlet_before_load
        }
    }

    // A default value runs no didSet and nothing else shows it, so the label starts with the storyboard's text.
    var mood = "Curious" { // expect: didset_skipped_at_start
        didSet { moodLabel?.text = mood }
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
        // The controller is in no split view yet; the optional chaining turns the line into nothing.
        splitViewController?.presentsWithGesture = false // expect: context_before_available
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        eyesSwitch.isOn = eyesOpen
        // Nothing of this name takes an argument, so the first tap ends the app.
        let tap = UITapGestureRecognizer(target: self, action: Selector(("recenter:"))) // expect: selector_unresolved
        sketchView.addGestureRecognizer(tap)
        let double = UITapGestureRecognizer(target: self, action: #selector(recenter))
        double.numberOfTapsRequired = 2
        sketchView.addGestureRecognizer(double)
    }

    // A method without its argument is none of UIKit's, so the title is never set.
    func viewWillAppear() { // expect: lifecycle_signature_mismatch
        navigationItem.title = mood
    }

    @objc private func recenter() {
        sketchView.zoom = 0.9
        // Without a graphics context of the view this draws nowhere; setNeedsDisplay() was meant.
        sketchView.draw(sketchView.bounds) // expect: direct_lifecycle_call
    }

    @IBAction private func flipEyes(_ sender: UISwitch) {
        sketchView.eyesOpen = sender.isOn
    }

    @IBAction private func knitBrows(_ sender: UIButton) {
        sketchView.browAngle = 0.2
    }
}
