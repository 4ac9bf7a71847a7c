import UIKit

/// Shows one drawing: opens its document on appearing, closes it on disappearing, hears of every change.
final class EmojiArtController: UIViewController, EmojiArtViewDelegate {
    private let document: EmojiArtDocument
    private let artView = EmojiArtView()
    private let palette = PaletteController()
    private var stateObserver: NSObjectProtocol?
    private var artObserver: NSObjectProtocol?

    init(document: EmojiArtDocument) {
        self.document = document
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    // Right without super: this method gives the view itself.
    override func loadView() {
        view = artView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        artView.delegate = self
        addPalette()
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        startWatching()
        showState()
        document.open { [weak self] success in
            if success { self?.showDocument() }
        }
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        if let artObserver { NotificationCenter.default.removeObserver(artObserver) }
        artObserver = nil
        // The last state worth hearing is that the document is closed.
        document.close { [stateObserver] _ in
            if let stateObserver { NotificationCenter.default.removeObserver(stateObserver) }
        }
        stateObserver = nil
    }

    func emojiArtViewDidChange(_ sender: EmojiArtView) {
        navigationItem.prompt = nil
    }

    private func startWatching() {
        let center = NotificationCenter.default
        stateObserver = center.addObserver(
            forName: UIDocument.stateChangedNotification, object: document, queue: .main
        ) { [weak self] _ in
            self?.showState()
        }
        artObserver = center.addObserver(
            forName: .emojiArtViewDidChange, object: artView, queue: .main
        ) { [weak self] _ in
            self?.document.updateChangeCount(.done)
        }
    }

    private func showState() {
        navigationItem.title = document.documentState.contains(.closed) ? "Closed" : document.localizedName
    }

    private func showDocument() {
        artView.removeEmojis()
        for emoji in document.art.emojis {
            artView.addEmoji(emoji.text, at: CGPoint(x: emoji.x, y: emoji.y), size: emoji.size)
        }
    }

    private func addPalette() {
        addChild(palette)
        palette.view.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(palette.view)
        NSLayoutConstraint.activate([
            palette.view.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
            palette.view.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            palette.view.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            palette.view.heightAnchor.constraint(equalToConstant: 80),
        ])
        palette.didMove(toParent: self)
    }
}

/// A read-only view of a drawing that keeps the contract of its base class.
class DrawingPreviewController: UIViewController {
    let presenter: DrawingPresenting

    init(presenter: DrawingPresenting) {
        self.presenter = presenter
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        // Right: a protocol of our own may have methods with these names.
        presenter.viewDidLoad()
    }

    override func viewWillAppear(_ animated: Bool) {
        prepareToAppear(animated)
    }

    // Right: super is reached through a helper.
    private func prepareToAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        navigationItem.largeTitleDisplayMode = .never
    }

    override func viewDidDisappear(_ animated: Bool) {
        // Right: one call in each branch.
        if animated {
            super.viewDidDisappear(animated)
            presenter.viewDidDisappear()
        } else {
            super.viewDidDisappear(animated)
        }
    }
}

/// What a preview asks for; the names resemble UIKit's, the methods do not.
protocol DrawingPresenting: AnyObject {
    func viewDidLoad()
    func viewDidDisappear()
}
