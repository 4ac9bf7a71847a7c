import UIKit

/// The list of pictures.
final class PictureListController: UITableViewController {
    private let pictures = SpacePicture.all

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "picture")
        navigationItem.title = "Cassini"
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        pictures.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "picture", for: indexPath)
        cell.textLabel?.text = pictures[indexPath.row].name
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        let picture = pictures[indexPath.row]
        let shown = splitViewController?.viewController(for: .secondary) as? ImageController
        shown?.imageURL = picture.url
        shown?.navigationItem.title = picture.name
        splitViewController?.show(.secondary)
    }
}

/// A board of bookmarks that builds its view and calls super in the wrong places.
final class BookmarkBoardController: UIViewController {
    private let board = UIStackView()
    private var isDirty = false

    override func loadView() {
        // The default loads a view only for the next line to throw it away.
        super.loadView() // expect: prohibited_super_call
        view = board
    }

    // The base class has set-up of its own, and here it never runs.
    override func viewDidLoad() { // expect: missing_super_call
        board.axis = .vertical
    }

    override func viewWillAppear(_ animated: Bool) {
        // The base class is told of an appearance that has not happened, and never of the coming one.
        super.viewDidAppear(animated) // expect: wrong_super_call
        isDirty = false
    }

    // A dirty board tells the base class twice.
    override func viewWillDisappear(_ animated: Bool) { // expect: conditional_super_call
        super.viewWillDisappear(animated)
        if isDirty {
            isDirty = false
            super.viewWillDisappear(animated)
        }
    }

    func restart() {
        // UIKit counts appearances; one that it did not begin confuses its order for good.
        viewWillAppear(false) // expect: direct_lifecycle_call
    }
}

/// The same board, which looks almost alike and does it right.
class BookmarkController: UIViewController {
    private let board = UIStackView()
    private var bookmarks: [String] = []
    private var visits: [String: Int] = [:]

    // Right: the default view is wanted, and only gets a subview.
    override func loadView() {
        super.loadView()
        view.addSubview(board)
    }

    // Right: the deferred call runs on every path.
    override func viewDidLoad() {
        defer { super.viewDidLoad() }
        guard !bookmarks.isEmpty else { return }
        board.axis = .vertical
    }

    // Right: the return leaves the closure and not the method.
    override func viewDidAppear(_ animated: Bool) {
        bookmarks.forEach { name in
            if name.isEmpty { return }
            visits[name, default: 0] += 1
        }
        bookmarks.removeAll()
        super.viewDidAppear(animated)
    }

    // lifelint:disable:next missing_super_call - UIViewController keeps nothing that this screen needs
    override func viewDidDisappear(_ animated: Bool) {
        visits.removeAll()
    }

    func add(_ name: String) {
        bookmarks.append(name)
    }
}
