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

    mutating func take<Line: RandomAccessCollection<UInt8>>(_ line: Line) -> ParseResult
    where Line.Index == Int {
        bytes += line.count
        lines += 1
        guard bytes <= Self.maximumBytes, lines <= Self.maximumLines else { return .tooLarge }
        let content = withoutLineEnd(line)
        if content.isEmpty { return endOfSection() }
        if isStatusLine(content) {
            return begin(content) ? .more : .malformed
        }
        if content.first == UInt8(ascii: " ") || content.first == UInt8(ascii: "\t") {
            unfold(content)
        } else {
            keepLast()
            guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else { return .malformed }
            last = (
                String(decoding: content[..<colon], as: UTF8.self),
                HTTP.FieldSyntax.text(of: trimmed(content[(colon + 1)...]))
            )
        }
        return .more
    }

    /// Ends the exchange: a section that has begun is the trailers.
    mutating func finish() { if isBody { _ = endOfSection() } }

    private mutating func begin<Line: RandomAccessCollection<UInt8>>(_ line: Line) -> Bool
    where Line.Index == Int {
        let blank = UInt8(ascii: " ")
        guard let end = line.firstIndex(of: blank),
            let start = line[end...].firstIndex(where: { $0 != blank }),
            let code = statusCode(line[start...].prefix { $0 != blank })
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
    private mutating func unfold<Line: RandomAccessCollection<UInt8>>(_ line: Line)
    where Line.Index == Int {
        guard let (name, value) = last else { return }
        let rest = HTTP.FieldSyntax.text(of: trimmed(line[line.startIndex...]))
        last = (name, value.isEmpty || rest.isEmpty ? value + rest : "\(value) \(rest)")
    }

    private mutating func keepLast() {
        guard let (name, value) = last else { return }
        headers.append(name: name, value: value)
        last = nil
    }

    // Three digits (RFC 9112 section 4).
    private func statusCode(_ digits: some Collection<UInt8>) -> Int? {
        var code = 0
        guard digits.count == 3 else { return nil }
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            code = code * 10 + Int(digit - 0x30)
        }
        return code >= 100 ? code : nil
    }

    private func isStatusLine(_ line: some RandomAccessCollection<UInt8>) -> Bool {
        !isBody && status == nil && line.starts(with: "HTTP/".utf8)
    }

    private func withoutLineEnd<Line: RandomAccessCollection<UInt8>>(_ line: Line)
        -> Line.SubSequence where Line.Index == Int
    {
        var end = line.endIndex
        if end > line.startIndex, line[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        if end > line.startIndex, line[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return line[..<end]
    }

    private func trimmed<Line: RandomAccessCollection<UInt8>>(_ line: Line) -> Line.SubSequence
    where Line.Index == Int {
        func isBlank(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        }
        var start = line.startIndex
        var end = line.endIndex
        while start < end, isBlank(line[start]) { start += 1 }
        while end > start, isBlank(line[end - 1]) { end -= 1 }
        return line[start..<end]
    }
}
