import UIKit

/// Draws the rings anew at each scale.
final class RingView: UIView {
    var drawingScale: CGFloat = 1 {
        didSet { setNeedsDisplay() }
    }

    override func draw(_ rect: CGRect) {
        UIColor.systemOrange.setStroke()
        for ring in 1...4 {
            let inset = CGFloat(ring) * 20 * drawingScale
            UIBezierPath(ovalIn: bounds.insetBy(dx: inset, dy: inset)).stroke()
        }
    }
}

/// Zooms, draws sharp rings at the new scale and gives the transform back.
final class SharpRingController: UIViewController, UIScrollViewDelegate {
    private let scrollView = UIScrollView()
    private let rings = RingView(frame: CGRect(x: 0, y: 0, width: 600, height: 600))

    override func loadView() {
        view = scrollView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        scrollView.minimumZoomScale = 0.5
        scrollView.maximumZoomScale = 4
        scrollView.contentSize = rings.frame.size
        scrollView.delegate = self
        scrollView.addSubview(rings)
    }

    func viewForZooming(in scrollView: UIScrollView) -> UIView? {
        rings
    }

    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
        rings.drawingScale *= scale
        rings.transform = .identity
    }
}

/// Draws anew and stays enlarged as well, so each zoom counts twice.
final class BlurredRingController: UIViewController, UIScrollViewDelegate {
    private let scrollView = UIScrollView()
    private let rings = RingView(frame: CGRect(x: 0, y: 0, width: 600, height: 600))

    override func loadView() {
        view = scrollView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        scrollView.minimumZoomScale = 0.5
        scrollView.maximumZoomScale = 4
        scrollView.contentSize = rings.frame.size
        scrollView.delegate = self
        scrollView.addSubview(rings)
    }

    func viewForZooming(in scrollView: UIScrollView) -> UIView? {
        rings
    }

    // The transform keeps the zoom that the drawing has just taken over.
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) { // expect: zoom_transform_not_reset
        rings.drawingScale *= scale
    }
}

/// Names a view to zoom, and leaves no room for zooming.
final class FixedRingController: UIViewController, UIScrollViewDelegate {
    private let scrollView = UIScrollView()
    private let rings = RingView(frame: CGRect(x: 0, y: 0, width: 600, height: 600))

    override func loadView() {
        view = scrollView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        scrollView.contentSize = rings.frame.size
        scrollView.delegate = self
        scrollView.addSubview(rings)
    }

    // Both scales are 1 unless they are set, so a pinch does nothing.
    func viewForZooming(in scrollView: UIScrollView) -> UIView? { // expect: scroll_view_zoom_unconfigured
        rings
    }
}

// It adopts the protocol and owns the only scroll view, but nothing joins the two.
final class DeafRingController: UIViewController, UIScrollViewDelegate { // expect: delegate_never_set
    private let scrollView = UIScrollView()
    private let rings = RingView(frame: CGRect(x: 0, y: 0, width: 600, height: 600))

    override func loadView() {
        view = scrollView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        scrollView.minimumZoomScale = 0.5
        scrollView.maximumZoomScale = 4
        scrollView.contentSize = rings.frame.size
        scrollView.addSubview(rings)
    }

    func viewForZooming(in scrollView: UIScrollView) -> UIView? {
        rings
    }
}

/// A mosaic that cannot be scrolled.
final class MosaicController: UIViewController {
    private let scrollView = UIScrollView()

    override func loadView() {
        view = scrollView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let tile = RingView(frame: CGRect(x: 1200, y: 0, width: 600, height: 600))
        // The content size stays zero, so the tile lies where no finger gets to.
        scrollView.addSubview(tile) // expect: scroll_view_content_size
    }
}
