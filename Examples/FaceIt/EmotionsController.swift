import UIKit

/// The list of emotions, which prepares the face it leads to.
final class EmotionsController: UITableViewController {
    private let emotions = Emotion.all

    // Right: the base class makes the table view and has to be asked for it.
    override func loadView() {
        super.loadView()
        tableView.rowHeight = 52
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Emotions"
    }

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
        super.prepare(for: segue, sender: sender)
        let destination = (segue.destination as? UINavigationController)?.viewControllers.first ?? segue.destination
        guard segue.identifier == "Show Emotion", let face = destination as? FaceController,
            let cell = sender as? UITableViewCell, let indexPath = tableView.indexPath(for: cell)
        else { return }
        // Only the model is set; the face shows it when its outlets are there.
        face.expression = emotions[indexPath.row].expression
        face.navigationItem.title = emotions[indexPath.row].name
    }

    override func shouldPerformSegue(withIdentifier identifier: String, sender: Any?) -> Bool {
        identifier != "Show Emotion" || sender is UITableViewCell
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        emotions.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "Emotion", for: indexPath)
        cell.textLabel?.text = emotions[indexPath.row].name
        return cell
    }
}

/// A face that says what it feels.
final class CaptionController: FaceController {
    @IBOutlet private(set) weak var captionLabel: UILabel!

    var caption = ""

    override func viewDidLoad() {
        super.viewDidLoad()
        captionLabel.text = caption
    }

    // The base class never hears that the face goes, so whatever it began there goes on.
    override func viewWillDisappear(_ animated: Bool) { // expect: missing_super_call
        caption = captionLabel.text ?? ""
    }

    // Right: a helper whose name only begins like one of UIKit's.
    func viewDidAppearFirstTime() {
        captionLabel.alpha = 1
    }
}

/// The same list in a hurry: it takes each destination for ready, and for a face.
final class HastyEmotionsController: UITableViewController {
    private let emotions = Emotion.all

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
        super.prepare(for: segue, sender: sender)
        guard let row = tableView.indexPathForSelectedRow?.row else { return }
        switch segue.identifier {
        case "Show Sketch":
            // The storyboard wraps the sketch in a navigation controller, so the cast ends the app.
            let sketch = segue.destination as! SketchController // expect: segue_destination_assumed
            sketch.mood = emotions[row].name
            sketch.eyesOpen = false
        case "Show Caption":
            guard let face = segue.destination as? CaptionController else { return }
            // The view of the destination is not loaded here and its outlets are nil.
            face.captionLabel.text = emotions[row].name // expect: outlet_before_load
        case "Show Loaded":
            guard let face = segue.destination as? CaptionController else { return }
            // This loads no view; it runs the set-up twice, and the first time without outlets.
            face.viewDidLoad() // expect: direct_lifecycle_call
        case "Show Ready":
            guard let face = segue.destination as? CaptionController else { return }
            // Right: UIKit itself is asked for the view first.
            face.loadViewIfNeeded()
            face.captionLabel.text = emotions[row].name
        default:
            break
        }
    }

    // No scene sends it, so the button in the storyboard does nothing.
    @IBAction private func shuffleMoods(_ sender: UIBarButtonItem) { // expect: outlet_disconnected
        tableView.reloadData()
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        emotions.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "Hasty", for: indexPath)
        cell.textLabel?.text = emotions[indexPath.row].name
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        performSegue(withIdentifier: "Show Caption", sender: self)
    }
}
