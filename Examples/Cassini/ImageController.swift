import UIKit

/// Shows one picture, fetched off the main thread once it can be seen.
final class ImageController: UIViewController, UIScrollViewDelegate {
    private let scrollView = UIScrollView()
    private let imageView = UIImageView()
    private let spinner = UIActivityIndicatorView(style: .large)
    private let fetcher = PictureFetcher()
    private var laidOutSize = CGSize.zero

    var imageURL: URL? {
        didSet {
            imageView.image = nil
            // Right: a view that is not loaded or not on screen fetches when it appears.
            if viewIfLoaded?.window != nil { fetch() }
        }
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        scrollView.minimumZoomScale = 1 / 25
        scrollView.maximumZoomScale = 2
        scrollView.delegate = self
        scrollView.addSubview(imageView)
        view.addSubview(scrollView)
        view.addSubview(spinner)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        if imageView.image == nil { fetch() }
    }

    // Right: the geometry is final here, and only a new size causes work.
    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        guard view.bounds.size != laidOutSize else { return }
        laidOutSize = view.bounds.size
        scrollView.frame = view.bounds
        spinner.center = CGPoint(x: view.bounds.midX, y: view.bounds.midY)
    }

    func viewForZooming(in scrollView: UIScrollView) -> UIView? {
        imageView
    }

    private func fetch() {
        guard let url = imageURL else { return }
        spinner.startAnimating()
        fetcher.fetch(url) { [weak self] image in
            // The user may have chosen another picture meanwhile.
            guard let self, url == self.imageURL else { return }
            self.spinner.stopAnimating()
            self.show(image)
        }
    }

    private func show(_ image: UIImage?) {
        imageView.image = image
        imageView.sizeToFit()
        scrollView.contentSize = imageView.frame.size
    }
}

/// The same picture, measured before there is anything to measure.
final class HurriedImageController: UIViewController {
    private let scrollView = UIScrollView()
    private let imageView = UIImageView()
    private let frameLayer = CAShapeLayer()
    private var largeImage: UIImage?
    var imageURL: URL?

    override func viewDidLoad() {
        super.viewDidLoad()
        scrollView.contentSize = CGSize(width: 2000, height: 1500)
        // The bounds are still those of the nib or of the whole screen, and nothing corrects the copy.
        scrollView.frame = view.bounds // expect: geometry_before_layout
        // Zero by now, so the corners stay square.
        imageView.layer.cornerRadius = imageView.bounds.width / 2 // expect: geometry_before_layout
        imageView.layer.addSublayer(frameLayer)
        scrollView.addSubview(imageView)
        view.addSubview(scrollView)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        // Before the view is in a window its safe area is empty.
        scrollView.contentInset.top = view.safeAreaInsets.top // expect: geometry_before_layout
    }

    override func viewWillTransition(to size: CGSize, with coordinator: UIViewControllerTransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        // The bounds are those that the view is about to leave; `size` is the new one.
        imageView.isHidden = view.bounds.width < 320 // expect: transition_reads_old_geometry
        coordinator.animate { _ in
            self.imageView.alpha = self.view.bounds.width < size.height ? 1 : 0.8
        }
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        // The next tap unwraps it, and nobody has fetched it again.
        largeImage = nil // expect: memory_warning_breaks_state
    }

    @objc func showLarge() {
        imageView.image = largeImage!
    }

    @objc func reload() {
        guard let imageURL else { return }
        // The whole app stands still while the server thinks.
        largeImage = (try? Data(contentsOf: imageURL)).flatMap(UIImage.init(data:)) // expect: blocking_main
    }

    func refresh() {
        guard let imageURL else { return }
        URLSession.shared.dataTask(with: imageURL) { data, _, _ in
            let image = data.flatMap(UIImage.init(data:))
            // The session answers on a queue of its own.
            self.imageView.image = image // expect: ui_off_main
        }.resume()
    }
}

/// A picture that lets go what it can make again.
final class ThriftyImageController: UIViewController {
    private let imageView = UIImageView()
    private var largeImage: UIImage?

    override func loadView() {
        view = imageView
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        largeImage = nil
    }

    @objc func showLarge() {
        let image = largeImage ?? UIImage(named: "Saturn")
        largeImage = image
        imageView.image = image
    }
}
