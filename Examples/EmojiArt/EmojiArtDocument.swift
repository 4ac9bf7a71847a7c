import UIKit

/// What a drawing is made of.
struct EmojiArt: Codable {
    struct Emoji: Codable {
        var text: String
        var x: Double
        var y: Double
        var size: Double
    }

    var background: URL?
    var emojis: [Emoji] = []
}

/// A drawing on disk.
final class EmojiArtDocument: UIDocument {
    var art = EmojiArt()

    override func contents(forType typeName: String) throws -> Any {
        try JSONEncoder().encode(art)
    }

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let data = contents as? Data else { return }
        art = try JSONDecoder().decode(EmojiArt.self, from: data)
    }
}

extension Notification.Name {
    /// Posted by an `EmojiArtView` on the main thread, with itself as the object.
    static let emojiArtViewDidChange = Notification.Name("EmojiArtViewDidChange")

    /// Posted by `DrawingExporter`; `DrawingExporter.urlKey` names the file.
    static let drawingDidExport = Notification.Name("DrawingDidExport")

    /// Observed by `DrawingStatistics`; its last poster was deleted.
    static let drawingDidShare = Notification.Name("DrawingDidShare")
}

/// Counts that others may watch by key-value observing.
final class DrawingProgress: NSObject {
    @objc dynamic var emojiCount = 0
    /// Visible to Objective-C, but set without going through it.
    @objc var savedCount = 0
}

/// Writes a drawing as a file and tells whoever listens.
final class DrawingExporter {
    static let urlKey = "url"

    func export(_ art: EmojiArt, to url: URL) throws {
        try JSONEncoder().encode(art).write(to: url)
        NotificationCenter.default.post(name: .drawingDidExport, object: self, userInfo: [Self.urlKey: url])
    }

    func exportQuickly(_ art: EmojiArt, to url: URL) throws {
        try JSONEncoder().encode(art).write(to: url)
        // The object says who is speaking; a listener that filters by sender never hears a fresh URL.
        NotificationCenter.default.post(name: .drawingDidExport, object: url) // expect: notification_object_misuse
    }

    func exportDraft(_ art: EmojiArt, to url: URL) throws {
        try JSONEncoder().encode(art).write(to: url)
        NotificationCenter.default.post(name: Notification.Name("DraftDidExport"), object: self)
    }
}

/// Lives as long as the app and listens to the exporter; registers once.
final class DrawingStatistics {
    static let shared = DrawingStatistics()

    private(set) var exports = 0
    private(set) var drafts = 0
    private(set) var shares = 0

    private init() {
        let center = NotificationCenter.default
        center.addObserver(self, selector: #selector(countExport), name: .drawingDidExport, object: nil)
        // Two spellings of one name drift apart without the compiler noticing.
        center.addObserver(self, selector: #selector(countDraft), name: Notification.Name("DraftDidExport"), object: nil) // expect: notification_name_literal
        // Nothing posts this name any more, so the count stays zero.
        center.addObserver(self, selector: #selector(countShare), name: .drawingDidShare, object: nil) // expect: notification_never_posted
    }

    @objc private func countExport() { exports += 1 }

    @objc private func countDraft() { drafts += 1 }

    @objc private func countShare() { shares += 1 }
}

/// What the settings may switch on.
let drawingObservers: [AnyClass] = [DrawingStatistics.self]
