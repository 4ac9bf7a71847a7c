import Analysis
import Foundation

/// Runs independent work on threads with large stacks: the parser and the lowering recurse as deep as the text nests.
struct Threads: WorkPool {
    let count: Int
    /// 512 MiB of address space each; only what is used becomes memory.
    private static let stackSize = 512 << 20
    var progress: (@Sendable (Int, Int) -> Void)?

    init(count: Int?) {
        self.count = count ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
    }

    func map<Result: Sendable>(_ total: Int, _ work: @escaping @Sendable (Int) -> Result) -> [Result] {
        guard total > 0 else { return [] }
        let results = Results<Result>(total)
        let group = DispatchGroup()
        let progress = progress
        for _ in 0..<min(count, total) {
            group.enter()
            let thread = Thread {
                while let index = results.next() {
                    let result = autoreleased { work(index) }
                    let done = results.set(result, at: index)
                    progress?(done, total)
                }
                group.leave()
            }
            thread.stackSize = Self.stackSize
            thread.start()
        }
        group.wait()
        return results.all()
    }
}

/// Runs work in an autorelease pool where there is such a thing.
private func autoreleased<Result>(_ work: () -> Result) -> Result {
    #if canImport(ObjectiveC)
    return autoreleasepool(invoking: work)
    #else
    return work()
    #endif
}

/// The results of all threads, in their places.
private final class Results<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var upcoming = 0
    private var done = 0
    private var values: [Value?]

    init(_ count: Int) {
        values = Array(repeating: nil, count: count)
    }

    func next() -> Int? {
        lock.withLock {
            guard upcoming < values.count else { return nil }
            defer { upcoming += 1 }
            return upcoming
        }
    }

    func set(_ value: Value, at index: Int) -> Int {
        lock.withLock {
            values[index] = value
            done += 1
            return done
        }
    }

    func all() -> [Value] {
        lock.withLock { values.compactMap { $0 } }
    }
}
