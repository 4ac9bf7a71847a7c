import UIKit

/// Shows what the probe sends, for as long as somebody looks.
final class TelemetryController: UIViewController, UIAdaptivePresentationControllerDelegate {
    private let readings: AsyncStream<Double>
    private let label = UILabel()
    private var listener: Task<Void, Never>?
    private var latest = 0.0
    private var visits = 0

    init(readings: AsyncStream<Double>) {
        self.readings = readings
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func loadView() {
        view = label
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        showLatest()
        listener?.cancel()
        listener = Task { [weak self, readings] in
            for await reading in readings {
                // Held for one reading only.
                guard let self else { return }
                self.latest = reading
                self.showLatest()
            }
        }
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        listener?.cancel()
        listener = nil
    }

    func showPictures() {
        let pictures = PictureListController()
        pictures.presentationController?.delegate = self
        present(pictures, animated: true)
    }

    // Right: a sheet tells its delegate when it is gone.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
        visits += 1
        showLatest()
    }

    private func showLatest() {
        label.text = "\(latest), \(visits) looks at the pictures"
    }
}

/// Listens until the probe falls silent, and waits for an appearance that no sheet brings.
final class EndlessTelemetryController: UIViewController {
    private let readings: AsyncStream<Double>
    private let label = UILabel()
    private var note = ""

    init(readings: AsyncStream<Double>) {
        self.readings = readings
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func loadView() {
        view = label
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        // The loop never ends and holds self all the while, so the controller outlives its screen.
        Task { // expect: task_outlives_controller
            for await reading in readings {
                self.label.text = "\(reading)"
            }
        }
    }

    // A page sheet leaves this view in place, so closing the editor sends no appearance event.
    override func viewWillAppear(_ animated: Bool) { // expect: presentation_expects_appear
        super.viewWillAppear(animated)
        label.accessibilityHint = note
    }

    func editNote() {
        let editor = NoteEditor(owner: self)
        editor.modalPresentationStyle = .pageSheet
        present(editor, animated: true)
    }

    fileprivate func keep(_ note: String) {
        self.note = note
    }
}

/// A sheet with one text, handed back when it closes.
final class NoteEditor: UIViewController {
    private weak var owner: EndlessTelemetryController?
    private let textView = UITextView()

    fileprivate init(owner: EndlessTelemetryController) {
        self.owner = owner
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func loadView() {
        view = textView
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        owner?.keep(textView.text)
    }
}
