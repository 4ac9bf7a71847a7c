import UIKit

/// Shows a draft, and forgets to end most of what it begins.
final class LeakyDocumentController: UIViewController {
    private let document: EmojiArtDocument
    private let progress = DrawingProgress()
    private let journal = DraftJournal()
    private let artView = EmojiArtView()
    private var changeObserver: NSObjectProtocol?
    private var defaultsObserver: NSObjectProtocol?
    private var savedObservation: NSKeyValueObservation?

    init(document: EmojiArtDocument) {
        self.document = document
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func loadView() {
        view = artView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        watchState()
        watchProgress()
        watchCanvas()
        watchDefaults()
        // The journal is let go with this controller, and nobody takes it off the list.
        NotificationCenter.default.addObserver( // expect: observer_not_removed
            journal, selector: #selector(DraftJournal.note), name: UIDocument.stateChangedNotification, object: document)
        // It is never closed, so the file stays coordinated and its last changes unsaved.
        document.open { [weak self] _ in // pending: resource_unbalanced
            self?.showState()
        }
    }

    // The base class never hears of the appearance, because super is not called on any path.
    override func viewWillAppear(_ animated: Bool) { // expect: missing_super_call
        showState()
    }

    // An empty drawing returns before super, so the base class sees some disappearances and misses others.
    override func viewDidDisappear(_ animated: Bool) { // expect: conditional_super_call
        guard !document.art.emojis.isEmpty else { return }
        super.viewDidDisappear(animated)
        document.updateChangeCount(.done)
    }

    deinit {
        // The block belongs to its token, so removing self removes nothing.
        NotificationCenter.default.removeObserver(self)
        if let defaultsObserver { NotificationCenter.default.removeObserver(defaultsObserver) }
    }

    private func watchState() {
        // No one can name the token again, so the centre keeps the block for as long as the app runs.
        NotificationCenter.default.addObserver( // expect: observation_token_discarded
            forName: UIDocument.stateChangedNotification, object: document, queue: .main
        ) { [weak self] _ in
            self?.showState()
        }
    }

    private func watchProgress() {
        // The setter is called statically, so key-value observing never sees the change.
        savedObservation = progress.observe(\.savedCount) { [weak self] _, _ in // expect: kvo_not_observable
            self?.showState()
        }
    }

    private func watchCanvas() {
        // The token is kept, but what deinit hands to removeObserver is something else.
        changeObserver = NotificationCenter.default.addObserver( // expect: observation_token_not_removed
            forName: .emojiArtViewDidChange, object: artView, queue: .main
        ) { [weak self] _ in
            self?.document.updateChangeCount(.done)
        }
    }

    private func watchDefaults() {
        // Defaults may change on any thread, and with no queue the block runs on that one.
        defaultsObserver = NotificationCenter.default.addObserver( // expect: observer_queue_unspecified
            forName: UserDefaults.didChangeNotification, object: nil, queue: nil
        ) { [weak self] _ in
            self?.artView.backgroundColor = .systemGray
        }
    }

    private func showState() {
        navigationItem.title = document.localizedName
    }
}

/// Writes down each state of a draft.
final class DraftJournal: NSObject {
    private var lines: [String] = []

    @objc func note(_ notification: Notification) {
        lines.append("\(notification.name.rawValue)")
    }
}

/// Shows that a draft was exported, until it was covered once.
final class DraftStatusController: UIViewController {
    private let statusLabel = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(statusLabel)
        // viewDidLoad does not run again after the removal, so the label is deaf when the view comes back.
        NotificationCenter.default.addObserver(
            self, selector: #selector(showExport), name: .drawingDidExport, object: nil)
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        NotificationCenter.default.removeObserver(self, name: .drawingDidExport, object: nil) // expect: observer_unbalanced
    }

    @objc private func showExport(_ notification: Notification) {
        statusLabel.text = (notification.userInfo?[DrawingExporter.urlKey] as? URL)?.lastPathComponent
        statusLabel.sizeToFit()
    }
}
