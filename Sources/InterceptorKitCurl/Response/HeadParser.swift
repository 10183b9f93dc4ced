import InterceptorKit
import InterceptorKitEngine

/// Assembles heads and trailers from the lines that libcurl delivers one by one; no I/O.
struct HeadParser {
    enum ParseResult: Equatable {
        /// The line ends no section.
        case more
        /// A complete response below 200; the final one is still to come.
        case interim(ResponseHead)
        case final(ResponseHead)
        case tooLarge
        case malformed
    }

    /// The limit for the bytes of all heads and trailers of one exchange: more than four times what servers accept in a
    /// request by default. With the limit of lines, it bounds the memory for an endless head.
    static let maximumBytes = 256 << 10
    static let maximumLines = 8192
    // Responses of services seldom have more fields.
    private static let usualLines = 12

    private var bytes = 0
    private var lines = 0
    private var status: HTTP.Status?
    private var headers = HTTP.Headers()
    private var last: (name: String, value: String)?
    private var isBody = false

    /// The fields after the final head.
    private(set) var trailers: HTTP.Headers?

    /// Takes a line with its end. The parser copies what it keeps.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> ParseResult {
        self.bytes += bytes.count
        lines += 1
        guard self.bytes <= Self.maximumBytes, lines <= Self.maximumLines else { return .tooLarge }
        let line = unsafe LinePart(lineWithEnd: bytes)
        guard let first = line.first else { return endOfSection() }
        if !isBody, status == nil, line.begins(with: "HTTP/") {
            return begin(line) ? .more : .malformed
        }
        if LinePart.isBlank(first) {
            unfold(line)
            return .more
        }
        keepLast()
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .malformed }
        last = (line[..<colon].name, line[(colon + 1)...].trimmed.value)
        return .more
    }

    /// Ends the exchange: a section that has begun is the trailers.
    mutating func finish() { if isBody { _ = endOfSection() } }

    private mutating func begin(_ line: LinePart) -> Bool {
        guard let blank = line.firstIndex(of: UInt8(ascii: " ")),
            let code = line[blank...].statusCode
        else { return false }
        status = HTTP.Status(code)
        headers = HTTP.Headers()
        headers.reserveCapacity(Self.usualLines)
        last = nil
        isBody = false
        return true
    }

    private mutating func endOfSection() -> ParseResult {
        keepLast()
        defer { headers = HTTP.Headers() }
        if isBody {
            if !headers.isEmpty { trailers = headers }
            return .more
        }
        guard let status else { return .malformed }
        self.status = nil
        let head = ResponseHead(status: status, headers: headers)
        // libcurl passes on what it does not use: invalid names, invalid or differing lengths (RFC 9112 section 6.3),
        // and a change of protocol that was not requested.
        guard headers.problem == nil, head.hasOneLength, status != 101 else { return .malformed }
        if status.code < 200 { return .interim(head) }
        isBody = true
        return .final(head)
    }

    // A line that begins with a blank continues the one before (RFC 9112 section 5.2).
    private mutating func unfold(_ line: LinePart) {
        guard let (name, value) = last else { return }
        let rest = line.trimmed.value
        last = (name, value.isEmpty || rest.isEmpty ? value + rest : "\(value) \(rest)")
    }

    private mutating func keepLast() {
        guard let (name, value) = last.take() else { return }
        headers.append(name: name, value: value)
    }
}

/// A part of a line that libcurl lends for one call.
@safe
private struct LinePart {
    // Safety: the places are within the buffer, and no part outlives the call that lends it.
    private let bytes: UnsafeRawBufferPointer
    private var start: Int
    private var end: Int

    /// Creates the line without its end, LF or CRLF.
    init(lineWithEnd bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
        start = 0
        end = bytes.count
        if last == UInt8(ascii: "\n") { end -= 1 }
        if last == UInt8(ascii: "\r") { end -= 1 }
    }

    var first: UInt8? { start < end ? unsafe bytes[start] : nil }

    private var last: UInt8? { start < end ? unsafe bytes[end - 1] : nil }

    static func isBlank(_ byte: UInt8?) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    func begins(with text: StaticString) -> Bool {
        // Safety: as many bytes are compared as both have.
        let count = text.utf8CodeUnitCount
        guard end - start >= count, text.hasPointerRepresentation else { return false }
        for index in 0..<count where unsafe bytes[start + index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    func firstIndex(of byte: UInt8) -> Int? {
        var index = start
        while index < end {
            if unsafe bytes[index] == byte { return index }
            index += 1
        }
        return nil
    }

    /// The part from or up to the place of a byte in it.
    subscript(range: some RangeExpression<Int>) -> LinePart {
        let range = range.relative(to: start..<end).clamped(to: start..<end)
        var part = self
        (part.start, part.end) = (range.lowerBound, range.upperBound)
        return part
    }

    /// The part without blanks at its ends.
    var trimmed: LinePart {
        var part = self
        while Self.isBlank(part.first) { part.start += 1 }
        while Self.isBlank(part.last) { part.end -= 1 }
        return part
    }

    private var buffer: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    var name: String { unsafe String(decoding: buffer, as: UTF8.self) }

    var value: String { unsafe HTTP.FieldSyntax.text(of: buffer) }

    /// The number of three digits after spaces, before a space or the end (RFC 9112 section 4).
    var statusCode: Int? {
        let space = UInt8(ascii: " ")
        var digits = self
        while digits.first == space { digits.start += 1 }
        digits.end = digits.firstIndex(of: space) ?? end
        guard digits.end - digits.start == 3 else { return nil }
        var code = 0
        for index in digits.start..<digits.end {
            let digit = unsafe bytes[index]
            guard 0x30...0x39 ~= digit else { return nil }
            code = code * 10 + Int(digit - 0x30)
        }
        return code >= 100 ? code : nil
    }
}
