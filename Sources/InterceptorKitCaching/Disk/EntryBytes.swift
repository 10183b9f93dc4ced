import InterceptorKit

/// Writes numbers and texts one after another, in little-endian order.
struct EntryBytesWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
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

/// Reads what ``EntryBytesWriter`` wrote, and never beyond the end.
struct EntryBytesReader {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = min(range.upperBound, bytes.count)
    }

    var isAtEnd: Bool { position >= end }

    mutating func number() -> UInt64? {
        guard end - position >= 8 else { return nil }
        defer { position += 8 }
        var number: UInt64 = 0
        for index in 0..<8 { number |= UInt64(bytes[position + index]) << UInt64(8 * index) }
        return number
    }

    /// Reads a number of elements; the bytes left limit it, because each element takes at least one.
    mutating func count() -> Int? {
        guard let number = number(), number <= UInt64(end - position) else { return nil }
        return Int(number)
    }

    mutating func text() -> String? {
        guard let count = count() else { return nil }
        defer { position += count }
        return String(validating: bytes[position..<position + count], as: UTF8.self)
    }

    mutating func optionalText() -> String?? {
        switch number() {
        case 0: .some(nil)
        case 1: text().map(Optional.some)
        default: nil
        }
    }
}
