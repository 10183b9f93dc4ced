import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds lines in chunks of bytes, wherever the chunks are split.
///
/// A line that lies within one chunk is a slice of it and is not copied. Each byte is looked at once for each
/// kind of ending, however long the line and however small the chunks.
struct LineSplitter: Sendable {
    /// The endings of a line.
    enum Endings: Sendable {
        /// CR LF, LF and CR.
        case any
        /// LF.
        case lineFeed
    }

    private let endings: Endings
    private let limit: Int
    // What is not yet given out.
    private var chunk = Data()
    private var position = 0
    // The beginning of a line whose end is in none of the chunks so far.
    private var pending = Data()
    // Where the next LF and CR are; the chunk's end if it has none.
    private var lineFeed = 0
    private var carriageReturn = 0
    private var followsCarriageReturn = false
    private var isFirst = true

    /// - Parameters:
    ///   - endings: What ends a line.
    ///   - limit: The largest number of bytes of a line, without its ending.
    init(endings: Endings = .any, limit: Int) {
        self.endings = endings
        self.limit = limit
    }

    /// Takes the next chunk. Call it when ``next()`` has returned `nil`.
    mutating func append(_ chunk: Data) {
        self.chunk = chunk
        position = chunk.startIndex
        lineFeed = position - 1
        carriageReturn = endings == .any ? position - 1 : chunk.endIndex
        if followsCarriageReturn, let first = chunk.first {
            followsCarriageReturn = false
            if first == .lineFeed { position += 1 }
        }
    }

    /// The next complete line, without its ending; `nil` if more bytes are needed.
    /// - Throws: ``HTTP/StreamingError`` if the line is longer than the limit.
    mutating func next() throws(HTTP.StreamingError) -> Data? {
        if lineFeed < position { lineFeed = find(.lineFeed) }
        if carriageReturn < position { carriageReturn = find(.carriageReturn) }
        let end = min(lineFeed, carriageReturn)
        guard end < chunk.endIndex else {
            try keep(chunk[position...])
            position = chunk.endIndex
            return nil
        }
        let start = position
        position = end + 1
        if carriageReturn < lineFeed {
            if position == chunk.endIndex {
                followsCarriageReturn = true
            } else if lineFeed == position {
                position += 1
            }
        }
        guard pending.isEmpty else {
            try keep(chunk[start..<end])
            return takePending()
        }
        guard end - start <= limit else { throw tooLong }
        return withoutMark(chunk[start..<end])
    }

    /// What follows the last line ending, when no more bytes come; `nil` if nothing does.
    mutating func rest() -> Data? {
        if pending.isEmpty { return nil }
        let rest = takePending()
        return rest.isEmpty ? nil : rest
    }

    private mutating func takePending() -> Data {
        let line = pending
        pending = Data()
        return withoutMark(line)
    }

    private mutating func keep(_ bytes: Data) throws(HTTP.StreamingError) {
        guard bytes.count <= limit - pending.count else { throw tooLong }
        pending.append(bytes)
    }

    // A byte order mark begins no line but the first.
    private mutating func withoutMark(_ line: Data) -> Data {
        guard isFirst else { return line }
        isFirst = false
        return line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
    }

    private func find(_ byte: UInt8) -> Int {
        // Safety: the pointer stays within the closure, and `memchr` reads no more than the slice.
        let offset = unsafe chunk[position...].withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress, unsafe !bytes.isEmpty,
                let found = unsafe memchr(start, Int32(byte), bytes.count)
            else { return nil }
            return unsafe start.distance(to: UnsafeRawPointer(found))
        }
        return offset.map { position + $0 } ?? chunk.endIndex
    }

    private var tooLong: HTTP.StreamingError {
        HTTP.StreamingError(
            .tooLong,
            "A line is longer than the limit of \(limit) bytes. Raise the limit if lines of that length are "
                + "to be expected."
        )
    }
}

extension UInt8 {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
}
