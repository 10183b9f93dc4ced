/// Writes numbers and texts one after the other, the least significant byte first.
struct EntryBytesWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func append(_ number: Int) { append(UInt64(bitPattern: Int64(number))) }

    mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes += text.utf8
    }

    mutating func append(_ text: String?) {
        append(text == nil ? 0 : 1)
        if let text { append(text) }
    }
}

/// Reads what was written so, and never beyond the end.
struct EntryBytesReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        let number = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        return number
    }

    /// A number of things each of which takes a byte at least, so that no more is made room for.
    mutating func count() -> Int? {
        guard let number = number(), number <= UInt64(rest.count) else { return nil }
        return Int(number)
    }

    mutating func text() -> String? {
        guard let count = count() else { return nil }
        let text = String(validating: rest.prefix(count), as: UTF8.self)
        rest = rest.dropFirst(count)
        return text
    }

    mutating func optionalText() -> String?? {
        switch number() {
        case 0: .some(nil)
        case 1: text().map(Optional.some)
        default: nil
        }
    }
}
