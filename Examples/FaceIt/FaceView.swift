import UIKit

/// A face of a few lines; whatever draw(_:) reads asks for a redraw when it is set.
@IBDesignable
class FaceView: UIView {
    @IBInspectable var zoom: CGFloat = 0.9 { didSet { setNeedsDisplay() } }
    @IBInspectable var tilt: CGFloat = 0 { didSet { setNeedsDisplay() } }
    @IBInspectable var eyesOpen: Bool = true { didSet { setNeedsDisplay() } }
    @IBInspectable var curvature: CGFloat = 0.5 { didSet { setNeedsDisplay() } }

    /// The radius of the head in points.
    var headRadius: CGFloat { min(bounds.width, bounds.height) / 2 * zoom }

    override func draw(_ rect: CGRect) {
        UIColor.label.set()
        let center = CGPoint(x: bounds.midX, y: bounds.midY)
        let face = UIBezierPath()
        face.addArc(withCenter: center, radius: headRadius, startAngle: 0, endAngle: 2 * .pi, clockwise: true)
        face.append(eye(at: CGPoint(x: center.x - headRadius / 3, y: center.y - headRadius / 3)))
        face.append(eye(at: CGPoint(x: center.x + headRadius / 3, y: center.y - headRadius / 3)))
        face.append(mouth(below: center))
        face.apply(CGAffineTransform(translationX: -center.x, y: -center.y))
        face.apply(CGAffineTransform(rotationAngle: tilt))
        face.apply(CGAffineTransform(translationX: center.x, y: center.y))
        face.lineWidth = 4
        face.stroke()
    }

    private func eye(at point: CGPoint) -> UIBezierPath {
        let radius = headRadius / 8
        guard !eyesOpen else {
            return UIBezierPath(arcCenter: point, radius: radius, startAngle: 0, endAngle: 2 * .pi, clockwise: true)
        }
        let path = UIBezierPath()
        path.move(to: CGPoint(x: point.x - radius, y: point.y))
        path.addLine(to: CGPoint(x: point.x + radius, y: point.y))
        return path
    }

    private func mouth(below center: CGPoint) -> UIBezierPath {
        let half = headRadius / 2
        let y = center.y + headRadius / 3
        let path = UIBezierPath()
        path.move(to: CGPoint(x: center.x - half, y: y))
        path.addQuadCurve(
            to: CGPoint(x: center.x + half, y: y), controlPoint: CGPoint(x: center.x, y: y + half * curvature))
        return path
    }

    /// Resizes the head while two fingers pinch.
    @objc func resize(with pinch: UIPinchGestureRecognizer) {
        guard pinch.state == .changed || pinch.state == .ended else { return }
        zoom *= pinch.scale
        // The next scale counts from here.
        pinch.scale = 1
    }

    /// Turns the head while two fingers rotate.
    @objc func turn(with rotation: UIRotationGestureRecognizer) {
        guard rotation.state == .changed || rotation.state == .ended else { return }
        tilt += rotation.rotation
        rotation.rotation = 0
    }
}

/// A face with eyebrows that handles its gestures in a hurry.
final class SketchFaceView: FaceView {
    // draw(_:) reads it, but setting it asks for no redraw, so the old brow stays on screen.
    var browAngle: CGFloat = 0 // expect: needs_display_missing
    var browWidth: CGFloat = 3 { didSet { setNeedsDisplay() } }

    override func draw(_ rect: CGRect) {
        super.draw(rect)
        let brow = UIBezierPath()
        let y = bounds.midY - headRadius / 2
        brow.move(to: CGPoint(x: bounds.midX - headRadius / 2, y: y))
        brow.addLine(to: CGPoint(x: bounds.midX + headRadius / 2, y: y + sin(browAngle) * headRadius))
        brow.lineWidth = browWidth
        brow.stroke()
    }

    // Each scale counts from the start of the pinch, so the head grows by 2, then by 2 times 2.1.
    @objc func swell(with pinch: UIPinchGestureRecognizer) { // expect: gesture_delta_accumulates
        guard pinch.state == .changed || pinch.state == .ended else { return }
        zoom *= pinch.scale
    }

    private var tiltAtStart: CGFloat = 0

    // Right: each rotation is added to the value saved at the start.
    @objc func lean(with rotation: UIRotationGestureRecognizer) {
        switch rotation.state {
        case .began: tiltAtStart = tilt
        case .changed, .ended: tilt = tiltAtStart + rotation.rotation
        default: break
        }
    }
}
