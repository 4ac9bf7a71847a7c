import UIKit

/// Picks the number of pairs; what the picker shows comes from a protocol extension.
protocol PairCounting: UIPickerViewDataSource, UIPickerViewDelegate {
    var largestCount: Int { get }
}

extension PairCounting {
    func rows() -> Int { largestCount }

    // Objective-C cannot see Swift protocol extensions, so the picker never asks here.
    func pickerView(_ pickerView: UIPickerView, titleForRow row: Int, forComponent component: Int) -> String? { // expect: callback_in_protocol_extension
        "\(row + 1) pairs"
    }
}

/// The settings; every control is wired once and to an event that it sends.
final class SettingsController: UIViewController, PairCounting {
    private let nameField = UITextField()
    private let soundSwitch = UISwitch()
    private let picker = UIPickerView()
    private let rules = UITextView()
    let largestCount = 8

    override func viewDidLoad() {
        super.viewDidLoad()
        picker.dataSource = self
        picker.delegate = self
        nameField.addTarget(self, action: #selector(rename), for: .editingChanged)
        soundSwitch.addTarget(self, action: #selector(toggleSound), for: .valueChanged)
        rules.font = .preferredFont(forTextStyle: .body)
        rules.adjustsFontForContentSizeCategory = true
        rules.attributedText = NSAttributedString(string: "Find the pairs.", attributes: [.underlineStyle: 1])
        [nameField, soundSwitch, picker, rules].forEach(view.addSubview)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        UIDevice.current.beginGeneratingDeviceOrientationNotifications()
        NotificationCenter.default.addObserver(
            self, selector: #selector(turn), name: UIDevice.orientationDidChangeNotification, object: nil)
        turn()
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        NotificationCenter.default.removeObserver(
            self, name: UIDevice.orientationDidChangeNotification, object: nil)
        UIDevice.current.endGeneratingDeviceOrientationNotifications()
    }

    func numberOfComponents(in pickerView: UIPickerView) -> Int { 1 }

    func pickerView(_ pickerView: UIPickerView, numberOfRowsInComponent component: Int) -> Int { rows() }

    @objc private func rename(_ sender: UITextField) {
        UserDefaults.standard.set(sender.text, forKey: "name")
    }

    @objc private func toggleSound(_ sender: UISwitch) {
        UserDefaults.standard.set(sender.isOn, forKey: "sound")
    }

    @objc private func turn() {
        rules.isHidden = UIDevice.current.orientation.isFlat
    }
}

/// The same settings, wired in a hurry.
final class TangledSettingsController: UIViewController {
    private let nameField = UITextField()
    private let soundSwitch = UISwitch()
    private let headline = UILabel()
    private let rules = UITextView()
    private var taps = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        // A text field sends editingChanged; nobody ever hears valueChanged from it.
        nameField.addTarget(self, action: #selector(rename), for: .valueChanged) // expect: control_event_mismatch
        soundSwitch.addTarget(self, action: #selector(toggleSound), for: .valueChanged)
        // The second handler does the work of the first, so each tap counts twice.
        soundSwitch.addTarget(self, action: #selector(flipSound), for: .valueChanged) // expect: duplicate_target_action
        // The player may choose another size at any time, and this one stays as it was.
        headline.font = .preferredFont(forTextStyle: .headline) // expect: content_size_not_followed
        rules.attributedText = NSAttributedString(string: "Find the pairs.", attributes: [.font: UIFont.boldSystemFont(ofSize: 17)])
        // One font for all characters wipes out weight and size of the text above.
        rules.font = .systemFont(ofSize: 15) // expect: attributed_text_clobbered
        [nameField, soundSwitch, headline, rules].forEach(view.addSubview)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        // Nothing sets it back, so the screen never sleeps again in this app.
        UIApplication.shared.isIdleTimerDisabled = true // expect: resource_unbalanced
    }

    // Info.plist does not list this orientation, and UIKit throws when the two have nothing in common.
    override var supportedInterfaceOrientations: UIInterfaceOrientationMask { .portraitUpsideDown } // expect: orientation_unsupported

    func confirmReset() {
        let alert = UIAlertController(title: "Reset?", message: nil, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "No", style: .cancel))
        // UIKit throws at a second action of the cancel style.
        alert.addAction(UIAlertAction(title: "Never", style: .cancel)) // expect: alert_without_exit
        present(alert, animated: true)
    }

    @objc private func rename(_ sender: UITextField) {
        UserDefaults.standard.set(sender.text, forKey: "name")
    }

    @objc private func toggleSound(_ sender: UISwitch) {
        taps += 1
        UserDefaults.standard.set(taps, forKey: "taps")
    }

    @objc private func flipSound(_ sender: UISwitch) {
        taps += 1
        UserDefaults.standard.set(taps, forKey: "taps")
    }
}
