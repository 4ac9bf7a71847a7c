import UIKit

/// The table with the cards; which cards are visible is known only after layout.
class ConcentrationController: UIViewController {
    @IBOutlet private weak var flipLabel: UILabel! {
        didSet { showFlips() }
    }
    @IBOutlet private var cardButtons: [CardButton]! {
        didSet {
            for button in cardButtons {
                button.addTarget(self, action: #selector(chooseCard), for: .touchUpInside)
            }
        }
    }
    private var game = ConcentrationGame(pairs: 8)
    private var emojis: [Int: String] = [:]
    private var shownSize = CGSize.zero

    var theme = Theme.all.first {
        didSet {
            emojis.removeAll()
            // A theme may be chosen before the table is loaded.
            if isViewLoaded { showCards() }
        }
    }

    // The cards that fit depend on the size, so they are shown when the size is final and has changed.
    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        guard view.bounds.size != shownSize else { return }
        shownSize = view.bounds.size
        showCards()
    }

    // Forgetting the pictures is harmless: emoji(for:) finds new ones.
    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        emojis.removeAll()
    }

    /// Starts over with fresh cards.
    func restart() {
        game = ConcentrationGame(pairs: 8)
        emojis.removeAll()
        if isViewLoaded { showCards() }
    }

    @objc private func chooseCard(_ sender: CardButton) {
        guard let index = cardButtons.firstIndex(of: sender) else { return }
        game.chooseCard(at: index)
        showCards()
    }

    private func showCards() {
        for (button, card) in zip(cardButtons, game.cards) {
            button.show(card, emoji: emoji(for: card))
        }
        showFlips()
    }

    private func showFlips() {
        flipLabel?.text = "Flips: \(game.flips)"
    }

    private func emoji(for card: Card) -> String {
        if let emoji = emojis[card.pair] { return emoji }
        let unused = (theme?.emojis ?? []).filter { !emojis.values.contains($0) }
        emojis[card.pair] = unused.randomElement() ?? "?"
        return emojis[card.pair] ?? "?"
    }
}

/// A table without a storyboard that prepares itself too early.
final class EagerGameController: UIViewController {
    private let board = UIView()

    init(color: UIColor) {
        super.init(nibName: nil, bundle: nil)
        // This loads the view, so viewDidLoad runs before the caller has set anything.
        view.backgroundColor = color // expect: view_loaded_early
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func loadView() {
        // The default view is made here and thrown away below.
        super.loadView() // expect: prohibited_super_call
        view = board
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let hello = UIAlertController(title: "Welcome", message: nil, preferredStyle: .alert)
        hello.addAction(UIAlertAction(title: "Play", style: .default))
        // The view is in no window yet, so UIKit drops the alert with a line in the log.
        present(hello, animated: true) // expect: presentation_before_window
    }

    override func viewDidDisappear(_ animated: Bool) {
        // The base class hears of one disappearance twice begun and never ended.
        super.viewWillDisappear(animated) // expect: wrong_super_call
        board.isHidden = true
    }

    // The plural is missing, so UIKit calls another method.
    func viewDidLayoutSubview() { // expect: lifecycle_signature_mismatch
        board.layer.cornerRadius = board.bounds.width / 20
    }
}

/// The same table with everything in its place.
final class CalmGameController: UIViewController {
    private let color: UIColor
    private let board = UIView()
    private var hasGreeted = false

    init(color: UIColor) {
        self.color = color
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func loadView() {
        view = board
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        board.backgroundColor = color
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        guard !hasGreeted else { return }
        hasGreeted = true
        let hello = UIAlertController(title: "Welcome", message: nil, preferredStyle: .alert)
        hello.addAction(UIAlertAction(title: "Play", style: .default))
        present(hello, animated: true)
    }
}
