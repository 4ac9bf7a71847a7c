import UIKit

/// Chooses and fetches the picture behind a drawing.
final class BackgroundImageController: UIViewController {
    private let imageView = UIImageView()
    private let sheet = StickerSheet()
    private lazy var sourceButton = UIBarButtonItem(
        systemItem: .camera, primaryAction: UIAction { [weak self] _ in self?.chooseSource() })
    private var suppressesWarnings = false

    override func viewDidLoad() {
        super.viewDidLoad()
        imageView.frame = view.bounds
        imageView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(imageView)
        navigationItem.rightBarButtonItem = sourceButton
        sheet.onChoice = { [weak self] url in self?.fetch(url) }
    }

    func fetch(_ url: URL) {
        DispatchQueue.global(qos: .userInitiated).async { [weak self] in
            let image = (try? Data(contentsOf: url)).flatMap(UIImage.init(data:))
            DispatchQueue.main.async {
                guard let self else { return }
                self.imageView.image = image
                if image == nil { self.warnAboutDrop() }
            }
        }
    }

    private func warnAboutDrop() {
        guard !suppressesWarnings else { return }
        let alert = UIAlertController(
            title: "Image Not Added", message: "The dropped image could not be loaded.", preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Keep Warning", style: .default))
        alert.addAction(UIAlertAction(title: "Stop Warning", style: .destructive) { _ in
            self.suppressesWarnings = true
        })
        present(alert, animated: true)
    }

    private func chooseSource() {
        let sheet = UIAlertController(title: "Background", message: nil, preferredStyle: .actionSheet)
        sheet.addAction(UIAlertAction(title: "Remove", style: .destructive) { _ in self.imageView.image = nil })
        sheet.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        // A popover on iPad, a sheet on iPhone: the source serves both.
        sheet.popoverPresentationController?.barButtonItem = sourceButton
        present(sheet, animated: true)
    }
}

/// Hears which sticker was chosen.
protocol StickerSheetDelegate: AnyObject {
    func stickerSheet(_ sheet: StickerSheet, didChoose url: URL)
}

/// A list of pictures that a controller owns.
final class StickerSheet {
    // The controller that sets itself here owns the sheet, so neither is ever freed.
    var delegate: StickerSheetDelegate? // expect: strong_delegate
    var onChoice: ((URL) -> Void)?

    func choose(_ url: URL) {
        delegate?.stickerSheet(self, didChoose: url)
        onChoice?(url)
    }
}

/// The same screen with every wait on the main thread and no way out of its alerts.
final class BlockingImageController: UIViewController, StickerSheetDelegate, UIImagePickerControllerDelegate,
    UINavigationControllerDelegate {
    private let imageView = UIImageView()
    private let sheet = StickerSheet()
    private let recentSheet = StickerSheet()
    private let featured = URL(string: "https://example.org/featured.png")!

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(imageView)
        sheet.delegate = self
        // The sheet is ours and keeps the closure, which keeps us.
        recentSheet.onChoice = { url in self.fetchCarelessly(url) } // expect: closure_retains_controller
        // The view may never appear, and the traffic would be for nothing.
        URLSession.shared.dataTask(with: featured) { _, _, _ in }.resume() // expect: work_before_visible
    }

    func stickerSheet(_ sheet: StickerSheet, didChoose url: URL) {
        // The choice arrives on the main thread, which stands still until the server answers.
        let data = try? Data(contentsOf: url) // pending: blocking_main
        imageView.image = data.flatMap(UIImage.init(data:))
    }

    private func fetchCarelessly(_ url: URL) {
        DispatchQueue.global(qos: .userInitiated).async {
            let image = (try? Data(contentsOf: url)).flatMap(UIImage.init(data:))
            // UIKit belongs to the main thread; here the picture shows late, never, or not twice alike.
            self.imageView.image = image // expect: ui_off_main
        }
    }

    func askForSource() {
        let choice = UIAlertController(title: "Background", message: nil, preferredStyle: .actionSheet)
        choice.addAction(UIAlertAction(title: "Camera", style: .default) { _ in self.takePicture() })
        choice.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        // On iPad this is a popover that does not know where to point, and UIKit throws.
        present(choice, animated: true) // expect: alert_source_missing
    }

    func reportFailure() {
        let alert = UIAlertController(title: "Image Not Added", message: nil, preferredStyle: .alert)
        // Without a button the alert can never be closed.
        present(alert, animated: true) // expect: alert_without_exit
    }

    private func takePicture() {
        let picker = UIImagePickerController()
        // Info.plist says nothing about the camera, so the system ends the app at this request.
        picker.sourceType = .camera // expect: capability_missing
        picker.delegate = self
        present(picker, animated: true)
    }

    func imagePickerControllerDidCancel(_ picker: UIImagePickerController) {
        picker.dismiss(animated: true)
    }
}
