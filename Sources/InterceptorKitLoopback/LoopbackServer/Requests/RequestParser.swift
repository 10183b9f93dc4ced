import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A whole request without its place on the server.
struct ParsedRequest {
    let head: RequestHead
    let rawHead: Data
    var body = Data()
    var chunkSizes: [Int] = []
    var trailers: HTTP.Headers = [:]
}

/// Finds requests in a connection's bytes (RFC 9112); no I/O.
struct RequestParser {
    enum Event {
        /// A head that waits for a 100 before its body.
        case expectation
        /// A head that a body follows.
        case head(ParsedRequest)
        case request(ParsedRequest)
        /// Nothing more is parsed after this.
        case refusal(RequestRefusal)
    }

    private enum State {
        case head
        case body(remaining: Int)
        case chunk(ChunkState)
        case done
        case refused
    }

    private enum ChunkState {
        case size
        case data(remaining: Int)
        case dataEnd
        case trailers
    }

    private let bodyLimit: Int
    private let headLimit: Int
    private var queue = ByteQueue()
    private var state = State.head
    private var lines: [[UInt8]] = []
    private var lineBytes = 0
    private var request: ParsedRequest?
    private var hasPendingExpectation = false

    init(bodyLimit: Int, headLimit: Int) {
        self.bodyLimit = bodyLimit
        self.headLimit = headLimit
    }

    /// The number of bytes that were received and not yet parsed.
    var pending: Int { queue.count }

    mutating func append(_ bytes: some Collection<UInt8>) {
        if case .refused = state { return }
        queue.append(bytes)
    }

    /// Returns the next event, or `nil` if it needs more bytes.
    mutating func next() -> Event? {
        do throws(RequestRefusal) {
            while true {
                if hasPendingExpectation {
                    hasPendingExpectation = false
                    return .expectation
                }
                switch state {
                case .head:
                    guard try takeLines() else { return nil }
                    hasPendingExpectation = try beginBody()
                    if case .done = state { continue }
                    if let request { return .head(request) }
                case .body(let remaining):
                    guard let left = takeBody(remaining) else { return nil }
                    state = left == 0 ? .done : .body(remaining: left)
                case .chunk(let chunk):
                    guard try advance(chunk) else { return nil }
                case .done:
                    state = .head
                    guard let request else { continue }
                    self.request = nil
                    return .request(request)
                case .refused:
                    return nil
                }
            }
        } catch {
            state = .refused
            queue.removeAll()
            return .refusal(error)
        }
    }

    // Collects lines up to an empty one; `true` once it is there.
    private mutating func takeLines() throws(RequestRefusal) -> Bool {
        while let line = queue.takeLine() {
            lineBytes += line.count
            if lineBytes > headLimit { throw .headTooLarge(limit: headLimit) }
            guard line.suffix(2) == [13, 10] else {
                throw .malformed("A line ends with LF alone instead of CR LF.")
            }
            let isEmpty = line.count == 2
            // Empty lines before a request line are ignored (RFC 9112 section 2.2).
            if isEmpty, lines.isEmpty, case .head = state { continue }
            lines.append(line)
            if isEmpty { return true }
        }
        if lineBytes + queue.count > headLimit { throw .headTooLarge(limit: headLimit) }
        return false
    }

    private mutating func forgetLines() {
        lines.removeAll(keepingCapacity: true)
        lineBytes = 0
    }

    private mutating func beginBody() throws(RequestRefusal) -> Bool {
        let head = try RequestHead(
            requestLine: lines[0],
            fieldLines: Array(lines.dropFirst().dropLast())
        )
        request = ParsedRequest(head: head, rawHead: Data(lines.joined()))
        forgetLines()
        switch head.framing {
        case .length(0):
            state = .done
            return false
        case .length(let length):
            if length > bodyLimit { throw .bodyTooLarge(limit: bodyLimit) }
            state = .body(remaining: length)
        case .chunks:
            state = .chunk(.size)
        }
        // A client whose body has begun to arrive no longer waits.
        return head.expectsContinue && queue.count == 0
    }

    // Returns the number of bytes still to come, or `nil` if none can be taken.
    private mutating func takeBody(_ remaining: Int) -> Int? {
        guard queue.count > 0 else { return nil }
        let bytes = queue.take(remaining)
        request?.body.append(contentsOf: bytes)
        return remaining - bytes.count
    }

    private mutating func advance(_ chunk: ChunkState) throws(RequestRefusal) -> Bool {
        switch chunk {
        case .size:
            guard let line = queue.takeLine() else {
                if queue.count > headLimit { throw .malformed("A chunk's size line is too long.") }
                return false
            }
            let size = try ChunkSize.parse(line)
            guard size > 0 else {
                state = .chunk(.trailers)
                return true
            }
            if size > bodyLimit - (request?.body.count ?? 0) {
                throw .bodyTooLarge(limit: bodyLimit)
            }
            request?.chunkSizes.append(size)
            state = .chunk(.data(remaining: size))
        case .data(let remaining):
            guard let left = takeBody(remaining) else { return false }
            state = .chunk(left == 0 ? .dataEnd : .data(remaining: left))
        case .dataEnd:
            guard queue.count >= 2 else { return false }
            guard queue.take(2) == [13, 10] else {
                throw .malformed("A chunk's data is not followed by CR LF.")
            }
            state = .chunk(.size)
        case .trailers:
            guard try takeLines() else { return false }
            request?.trailers = try RequestHead.fields(Array(lines.dropLast()))
            forgetLines()
            state = .done
        }
        return true
    }
}

/// The size line of a chunk (RFC 9112 section 7.1).
enum ChunkSize {
    /// Reads a line that still has its line end; extensions are ignored.
    static func parse(_ line: [UInt8]) throws(RequestRefusal) -> Int {
        guard line.suffix(2) == [13, 10] else {
            throw .malformed("A chunk's size line ends with LF alone instead of CR LF.")
        }
        let digits = line.dropLast(2).prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
        // `Int(_:radix:)` would take a sign.
        guard !digits.isEmpty, digits.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .malformed("A chunk's size is not a hexadecimal number.") }
        return size
    }
}

/// A request that the server itself rejects before the connection closes.
struct RequestRefusal: Error, Hashable {
    let status: HTTP.Status
    let sentence: String

    static func malformed(_ sentence: String) -> Self { Self(status: 400, sentence: sentence) }
}

extension RequestRefusal {
    fileprivate static func headTooLarge(limit: Int) -> Self {
        Self(status: 431, sentence: "The request's head is larger than \(limit) bytes.")
    }

    fileprivate static func bodyTooLarge(limit: Int) -> Self {
        Self(status: 413, sentence: "The request's body is larger than \(limit) bytes.")
    }
}
