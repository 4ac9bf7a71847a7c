import UIKit

/// The second tab: a probe on its way, moved once a frame while it is on screen.
final class OrbitController: UIViewController {
    private let probe = UIView(frame: CGRect(x: 0, y: 0, width: 12, height: 12))
    private let beacon = UIView(frame: CGRect(x: 20, y: 120, width: 12, height: 12))
    private var link: CADisplayLink?
    private var angle: CGFloat = 0

    init() {
        super.init(nibName: nil, bundle: nil)
        // Right: the tab bar reads this long before the view is loaded.
        tabBarItem = UITabBarItem(title: "Orbit", image: UIImage(systemName: "circle.dashed"), tag: 1)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        probe.backgroundColor = .systemTeal
        beacon.backgroundColor = .systemRed
        view.addSubview(probe)
        view.addSubview(beacon)
        // Coming back from the background sends no appearance event, and the animation is gone by then.
        NotificationCenter.default.addObserver(
            self, selector: #selector(startBeacon), name: UIApplication.willEnterForegroundNotification, object: nil)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        startBeacon()
        link?.invalidate()
        link = CADisplayLink(target: self, selector: #selector(step))
        link?.add(to: .main, forMode: .common)
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        link?.invalidate()
        link = nil
        beacon.layer.removeAllAnimations()
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
    }

    @objc private func startBeacon() {
        beacon.layer.removeAllAnimations()
        beacon.alpha = 1
        UIView.animate(withDuration: 1, delay: 0, options: [.repeat, .autoreverse]) {
            self.beacon.alpha = 0.2
        }
    }

    @objc private func step(_ link: CADisplayLink) {
        angle += CGFloat(link.targetTimestamp - link.timestamp)
        probe.center = CGPoint(x: view.bounds.midX + 80 * cos(angle), y: view.bounds.midY + 80 * sin(angle))
    }
}

/// A probe that never rests: what it starts runs on when nobody looks.
final class RunawayOrbitController: UIViewController {
    private let probe = UIView(frame: CGRect(x: 0, y: 0, width: 12, height: 12))
    private let beacon = UIView(frame: CGRect(x: 20, y: 120, width: 12, height: 12))
    private var angle: CGFloat = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(probe)
        view.addSubview(beacon)
        // The run loop keeps the link and the link keeps its target, for ever and at full rate.
        CADisplayLink(target: self, selector: #selector(step)).add(to: .main, forMode: .common) // expect: display_link_not_invalidated
        // It is dropped when the view leaves the window, and nothing starts it again.
        UIView.animate(withDuration: 1, delay: 0, options: [.repeat, .autoreverse]) { // expect: animation_unbalanced
            self.beacon.alpha = 0.2
        }
    }

    @objc private func step(_ link: CADisplayLink) {
        angle += CGFloat(link.targetTimestamp - link.timestamp)
        probe.center = CGPoint(x: view.bounds.midX + 80 * cos(angle), y: view.bounds.midY + 80 * sin(angle))
    }
}
