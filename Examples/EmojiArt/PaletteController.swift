import UIKit

/// One emoji of the palette.
final class PaletteCell: UICollectionViewCell {
    let label = UILabel()

    override init(frame: CGRect) {
        super.init(frame: frame)
        label.textAlignment = .center
        label.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        contentView.addSubview(label)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func prepareForReuse() {
        super.prepareForReuse()
        label.text = nil
    }
}

/// A cell with a badge.
final class BadgeCell: UICollectionViewCell {
    private var badge: UIView?

    func showBadge() {
        let badge = UIView(frame: CGRect(x: 0, y: 0, width: 12, height: 12))
        badge.backgroundColor = .systemRed
        self.badge?.removeFromSuperview()
        self.badge = badge
        contentView.addSubview(badge)
    }

    // The base class resets its own state here, and never gets the chance.
    override func prepareForReuse() { // expect: missing_super_call
        badge?.removeFromSuperview()
        badge = nil
    }
}

/// The emoji to drag from.
final class PaletteController: UICollectionViewController, UICollectionViewDragDelegate {
    private let emojis = "🌳🌞🏡🚗🐶🦉🍎🎈".map(String.init)
    private let reordering = PaletteDropReceiver()

    init() {
        let layout = UICollectionViewFlowLayout()
        layout.itemSize = CGSize(width: 60, height: 60)
        layout.scrollDirection = .horizontal
        super.init(collectionViewLayout: layout)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        collectionView.register(PaletteCell.self, forCellWithReuseIdentifier: "emoji")
        collectionView.dragDelegate = self
        // Right: the property owns what the slot holds weakly.
        collectionView.dropDelegate = reordering
    }

    override func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        emojis.count
    }

    override func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "emoji", for: indexPath)
        (cell as? PaletteCell)?.label.text = emojis[indexPath.item]
        return cell
    }

    func collectionView(
        _ collectionView: UICollectionView, itemsForBeginning session: UIDragSession, at indexPath: IndexPath
    ) -> [UIDragItem] {
        [UIDragItem(itemProvider: NSItemProvider(object: emojis[indexPath.item] as NSString))]
    }
}

/// Takes emoji dropped back on the palette.
final class PaletteDropReceiver: NSObject, UICollectionViewDropDelegate {
    func collectionView(
        _ collectionView: UICollectionView, performDropWith coordinator: UICollectionViewDropCoordinator
    ) {
        collectionView.reloadData()
    }
}

/// A palette whose drops go nowhere.
final class ForgetfulPaletteController: UIViewController {
    private let collectionView = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())

    override func loadView() {
        view = collectionView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        // The slot is weak and nothing else owns the receiver, so it is gone before the next line.
        collectionView.dropDelegate = PaletteDropReceiver() // expect: weak_slot_loses_object
    }

    // Misspelt, so UIKit never calls it and the scroll bars never flash.
    func viewDidApear(_ animated: Bool) { // expect: lifecycle_signature_mismatch
        collectionView.flashScrollIndicators()
    }
}
