import UIKit

/// A sky with stars, made once and laid out as often as needed.
final class SkyController: UIViewController {
    private let gradient = CAGradientLayer()
    private let starView = UIImageView()
    private var starSize = CGSize.zero

    override func viewDidLoad() {
        super.viewDidLoad()
        gradient.colors = [UIColor.black.cgColor, UIColor.systemIndigo.cgColor]
        view.layer.addSublayer(gradient)
        view.addSubview(starView)
        view.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(twinkle)))
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        gradient.frame = view.bounds
        guard view.bounds.size != starSize else { return }
        starSize = view.bounds.size
        starView.frame = view.bounds
        starView.image = StarPainter.stars(size: starSize)
    }

    override func viewWillTransition(to size: CGSize, with coordinator: UIViewControllerTransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        starView.isHidden = size.width < 320
    }

    @objc private func twinkle() {
        UIView.animate(withDuration: 0.2) { self.starView.alpha = 0.5 } completion: { _ in self.starView.alpha = 1 }
    }
}

/// The same sky, which does everything again each time.
final class BusySkyController: UIViewController {
    private let starView = UIImageView()
    private let horizon = UIView()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(starView)
        view.addSubview(horizon)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        // Each appearance adds one more, so after three visits a tap twinkles three times.
        view.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(twinkle))) // expect: repeated_setup
    }

    override func viewWillLayoutSubviews() {
        super.viewWillLayoutSubviews()
        let gradient = CAGradientLayer()
        gradient.frame = view.bounds
        // Each layout pass stacks a new layer on the old ones.
        view.layer.addSublayer(gradient) // expect: repeated_setup
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        // Layout may run for every frame of a rotation, and each run paints the whole sky.
        starView.image = StarPainter.stars(size: view.bounds.size) // expect: heavy_layout_work
        starView.frame = view.bounds
        horizon.frame = CGRect(x: 0, y: view.bounds.midY, width: view.bounds.width, height: 1)
        // The pass asks for the next one, so layout never comes to rest.
        view.setNeedsLayout() // expect: layout_feedback_loop
    }

    @objc private func twinkle() {
        starView.alpha = starView.alpha == 1 ? 0.5 : 1
    }
}

/// Paints stars; slow for large sizes.
enum StarPainter {
    static func stars(size: CGSize) -> UIImage {
        UIGraphicsImageRenderer(size: size).image { context in
            UIColor.white.setFill()
            for star in 0..<500 {
                let x = CGFloat(star * 7919 % 1000) / 1000 * size.width
                let y = CGFloat(star * 104_729 % 1000) / 1000 * size.height
                context.fill(CGRect(x: x, y: y, width: 1, height: 1))
            }
        }
    }
}
