#if Redis
import NIOCore

/// A parser of replies in RESP3 (specification at redis.io) that arrive in pieces of any size.
///
/// A length is checked against the limits when it is announced, so no memory is reserved for it before its bytes
/// arrive. Strings without an announced length (`$?`), which no server sends, are refused.
struct RESPParser {
    private struct Aggregate {
        let kind: UInt8
        var missing: Int
        var values: [RESPValue] = []
    }

    private let limits: RESPLimits
    private var buffer = ByteBuffer()
    /// The kind and length of a bulk string whose bytes have not all arrived.
    private var bulk: (kind: UInt8, length: Int)?
    private var open: [Aggregate] = []
    private var size = 0
    private var count = 0

    init(limits: RESPLimits = RESPLimits()) { self.limits = limits }

    mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// Returns the next complete reply; `nil` if more bytes are needed.
    mutating func next() throws(RESPSyntaxError) -> RESPValue? {
        while true {
            guard let value = try nextValue() else { return nil }
            guard let whole = try insert(value) else { continue }
            (size, count) = (0, 0)
            return whole
        }
    }

    /// - Returns: The outermost value; `nil` if it is not complete.
    private mutating func insert(_ value: RESPValue) throws(RESPSyntaxError) -> RESPValue? {
        var value = value
        while var inner = open.popLast() {
            inner.values.append(value)
            inner.missing -= 1
            if inner.missing > 0 {
                open.append(inner)
                return nil
            }
            // Attributes precede the value that they belong to, and do not count as a value.
            guard let finished = Self.finished(inner.kind, inner.values) else { return nil }
            value = finished
        }
        return value
    }

    private static func finished(_ kind: UInt8, _ values: [RESPValue]) -> RESPValue? {
        switch kind {
        case UInt8(ascii: "%"): .map(values)
        case UInt8(ascii: ">"): .push(values)
        case UInt8(ascii: "|"): nil
        default: .list(values)
        }
    }

    /// - Returns: A scalar or an empty aggregate. Other aggregates are opened on the way.
    private mutating func nextValue() throws(RESPSyntaxError) -> RESPValue? {
        while true {
            if let bulk {
                guard let value = try content(of: bulk.kind, bulk.length) else { return nil }
                self.bulk = nil
                return value
            }
            guard let (kind, line) = try nextLine() else { return nil }
            switch kind {
            case UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "!"):
                guard let length = try length(line) else { return .null }
                try spend(length)
                bulk = (kind, length)
            case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: ">"),
                UInt8(ascii: "|"):
                guard let length = try length(line) else { return .null }
                if let empty = try begin(kind, length) { return empty }
            default:
                return try scalar(kind, line)
            }
        }
    }

    /// - Returns: The aggregate if it is empty; otherwise `nil`, and the aggregate is open.
    private mutating func begin(
        _ kind: UInt8,
        _ length: Int
    ) throws(RESPSyntaxError) -> RESPValue? {
        let isPaired = kind == UInt8(ascii: "%") || kind == UInt8(ascii: "|")
        guard length <= limits.values, open.count < limits.depth else {
            throw RESPSyntaxError("It has too many values, or lists in lists.")
        }
        let missing = isPaired ? 2 * length : length
        count += missing
        guard count <= limits.values else { throw RESPSyntaxError("It has too many values.") }
        if missing == 0 { return Self.finished(kind, []) }
        var aggregate = Aggregate(kind: kind, missing: missing)
        aggregate.values.reserveCapacity(min(missing, 16))
        open.append(aggregate)
        return nil
    }

    private mutating func nextLine() throws(RESPSyntaxError) -> (UInt8, String)? {
        let bytes = buffer.readableBytesView
        guard let end = bytes.prefix(limits.line).firstIndex(of: 13) else {
            if bytes.count >= limits.line { throw RESPSyntaxError("A line is too long.") }
            return nil
        }
        guard end + 1 < bytes.endIndex else { return nil }
        guard bytes[end + 1] == 10, let kind = bytes.first, end > bytes.startIndex else {
            throw RESPSyntaxError("A line does not end as lines do.")
        }
        let text = String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self)
        let length = end + 2 - bytes.startIndex
        try spend(length)
        buffer.moveReaderIndex(forwardBy: length)
        return (kind, text)
    }

    private mutating func content(
        of kind: UInt8,
        _ length: Int
    ) throws(RESPSyntaxError) -> RESPValue? {
        guard buffer.readableBytes >= length + 2, var bytes = buffer.readSlice(length: length),
            let end = buffer.readInteger(as: UInt16.self)
        else { return nil }
        guard end == 0x0D0A else { throw RESPSyntaxError("A string is longer than announced.") }
        switch kind {
        case UInt8(ascii: "!"):
            return .error(String(buffer: bytes))
        case UInt8(ascii: "="):
            // A format of three letters, and a colon.
            guard bytes.readBytes(length: 4)?.last == UInt8(ascii: ":") else {
                throw RESPSyntaxError("A verbatim string has no format.")
            }
            return .text(bytes)
        default:
            return .text(bytes)
        }
    }

    private func scalar(_ kind: UInt8, _ text: String) throws(RESPSyntaxError) -> RESPValue {
        switch kind {
        case UInt8(ascii: "+"): return .text(ByteBuffer(string: text))
        case UInt8(ascii: "-"): return .error(text)
        case UInt8(ascii: ":"):
            if let number = Int64(text) { return .integer(number) }
        case UInt8(ascii: ","):
            if let number = Double(text) { return .double(number) }
        case UInt8(ascii: "("):
            let digits = text.drop { $0 == "-" || $0 == "+" }.utf8
            if !digits.isEmpty, digits.allSatisfy({ 48...57 ~= $0 }) {
                return .text(ByteBuffer(string: text))
            }
        case UInt8(ascii: "#"):
            if text == "t" || text == "f" { return .boolean(text == "t") }
        case UInt8(ascii: "_"):
            if text.isEmpty { return .null }
        default:
            break
        }
        throw RESPSyntaxError("A value has an unknown kind, or is not of its kind.")
    }

    /// - Returns: The length; `nil` for -1, the null value of RESP2.
    private func length(_ text: String) throws(RESPSyntaxError) -> Int? {
        if text == "-1" { return nil }
        let digits = text.utf8
        guard (1...10).contains(digits.count), digits.allSatisfy({ 48...57 ~= $0 }),
            let length = Int(text)
        else { throw RESPSyntaxError("A length is no number.") }
        return length
    }

    private mutating func spend(_ bytes: Int) throws(RESPSyntaxError) {
        size += bytes
        guard size <= limits.size else { throw RESPSyntaxError("It is too large.") }
    }
}
#endif
