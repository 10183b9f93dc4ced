import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Splits chunks of bytes into the texts of a JSON text sequence (RFC 7464).
///
/// A text ends at the LF after a complete JSON value, without waiting for the next text; at the next record separator,
/// which no JSON text contains; or at the end of the body.
struct SequenceSplitter: Sendable {
    private static let separator: UInt8 = 0x1E

    private let limit: Int
    private var chunk = Data()
    private var position = 0
    private var text = Data()
    private var isBlank = true
    // The progress in the text: the depth of arrays and objects, and whether the position is in a string.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// - Parameter limit: The largest size of a text in bytes, without its ending.
    init(limit: Int) { self.limit = limit }

    /// Sets the next chunk. Call it when ``next()`` has returned `nil`.
    mutating func append(_ chunk: Data) {
        self.chunk = chunk
        position = chunk.startIndex
    }

    /// Returns the next text, complete or broken off; `nil` if more bytes are needed.
    /// - Throws: ``HTTP/StreamingError`` if the text is longer than the limit.
    mutating func next() throws(HTTP.StreamingError) -> Data? {
        while position < chunk.endIndex {
            let byte = chunk[position]
            position += 1
            if byte == Self.separator {
                if let text = rest() { return text }
                continue
            }
            let isEnding = byte == UInt8(ascii: "\n") && depth <= 0 && !isInString
            guard text.count < limit || isEnding else {
                throw HTTP.StreamingError(
                    .tooLong,
                    "A record is longer than the limit of \(limit) bytes. Raise the limit if records of "
                        + "that length are to be expected."
                )
            }
            text.append(byte)
            scan(at: byte)
            if isEnding, let text = rest() { return text }
        }
        return nil
    }

    /// Returns the text received so far; `nil` if there is none. Begins the next text.
    mutating func rest() -> Data? {
        let found = isBlank ? nil : text
        text = Data()
        isBlank = true
        depth = 0
        isInString = false
        isEscaped = false
        return found
    }

    private mutating func scan(at byte: UInt8) {
        switch byte {
        case _ where isEscaped: isEscaped = false
        case UInt8(ascii: "\\") where isInString: isEscaped = true
        case UInt8(ascii: "\""): isInString.toggle()
        case _ where isInString: break
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        if !byte.isJSONSpace { isBlank = false }
    }
}

extension UInt8 {
    /// Whether the byte is JSON white space (RFC 8259 section 2).
    var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
