import Replay
import SourceText

/// 128 bits that stand for a store: two stores with the same bits are taken for one.  Two different ones among a million share
/// them with a chance of one in 10^26.
struct Fingerprint: Hashable {
    private var first: UInt64 = 0xCBF2_9CE4_8422_2325
    private var second: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The bits.
    var words: [UInt64] { [first, second] }

    mutating func mix(_ value: UInt64) {
        first = (first ^ value) &* 0x0000_0100_0000_01B3
        first ^= first >> 29
        second = (second &+ value) &* 0xBF58_476D_1CE4_E5B9
        second ^= second >> 31
    }

    mutating func mix(_ value: Int) { mix(UInt64(bitPattern: Int64(value))) }
    mutating func mix(_ value: Bool) { mix(value ? 1 : 2 as UInt64) }

    mutating func mix(_ text: String) {
        var word: UInt64 = 0
        var count = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count % 8 == 0 { mix(word) }
        }
        mix(word)
        mix(count)
    }

    /// Mixes in things whose order says nothing.
    mutating func mix<Elements: Collection>(unordered elements: Elements, _ mixOne: (inout Fingerprint, Elements.Element) -> Void) {
        var (first, second) = (0 as UInt64, 0 as UInt64)
        for element in elements {
            var one = Fingerprint()
            mixOne(&one, element)
            first &+= one.first
            second &+= one.second
        }
        mix(elements.count)
        mix(first)
        mix(second)
    }

    mutating func mix(_ site: Site) {
        mix(site.file)
        mix(site.span.start.line)
        mix(site.span.start.column)
        mix(site.span.end.line)
        mix(site.span.end.column)
    }

    mutating func mix(_ values: [Value]) {
        mix(values.count)
        for value in values { mix(value) }
    }

    mutating func mix(_ value: Value) {
        switch value {
        case .null: mix(1)
        case .void: mix(2)
        case .boolean(let value): mix(value ? 3 : 4)
        case .integer(let value): mix(5); mix(value)
        case .number(let text): mix(6); mix(text)
        case .string(let text): mix(7); mix(text)
        case .selector(let text): mix(8); mix(text)
        case .keyPath(let text): mix(9); mix(text)
        case .named(let name, let parts): mix(10); mix(name); mix(parts)
        case .tuple(let parts): mix(11); mix(parts)
        case .collection(let parts): mix(12); mix(parts)
        case .object(let id): mix(13); mix(id.index)
        case .closure(let index): mix(14); mix(index)
        case .method(let id, let name): mix(15); mix(id.index); mix(name)
        case .type(let name): mix(16); mix(name)
        case .unknown(let number): mix(17); mix(number)
        }
    }
}
