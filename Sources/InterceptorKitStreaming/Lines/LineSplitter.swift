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

/// Splits bytes into lines, regardless of the chunks' boundaries.
///
/// Each byte is searched once for each kind of ending, whatever the sizes of lines and chunks. The splitter holds one
/// line and a part of a chunk.
struct LineSplitter: Sendable {
    enum Endings: Sendable {
        /// CR LF, LF and CR.
        case any
        /// LF.
        case lineFeed
    }

    // The bytes of a chunk that are copied at once; a chunk may be a whole body.
    private static let window = 64 << 10

    private let endings: Endings
    private let limit: Int
    // The bytes that are not yet in the buffer.
    private var chunk = Data()
    private var buffer: [UInt8] = []
    // The positions of the next line, LF and CR; the end of the buffer if it has none.
    private var start = 0
    private var lineFeed = 0
    private var carriageReturn = 0
    private var followsCarriageReturn = false
    private var isFirst = true

    /// - Parameters:
    ///   - endings: The bytes that end a line.
    ///   - limit: The largest size of a line in bytes, without its ending.
    init(endings: Endings = .any, limit: Int) {
        self.endings = endings
        self.limit = limit
    }

    /// Sets the next chunk. Call it when ``next()`` has returned `nil`, and keep no earlier lines.
    mutating func append(_ chunk: Data) { self.chunk = chunk }

    /// Returns the next complete line, without its ending; `nil` if more bytes are needed.
    /// - Throws: ``HTTP/StreamingError`` if the line is longer than the limit.
    mutating func next() throws(HTTP.StreamingError) -> ArraySlice<UInt8>? {
        var end = min(lineFeed, carriageReturn)
        while end == buffer.count {
            guard buffer.count - start <= limit else { throw tooLong }
            guard refill() else { return nil }
            end = min(lineFeed, carriageReturn)
        }
        guard end - start <= limit else { throw tooLong }
        let line = withoutMark(start..<end)
        begin(after: end)
        return buffer[line]
    }

    /// Returns the bytes after the last line ending, once the input has ended; `nil` if there are none.
    mutating func rest() -> ArraySlice<UInt8>? {
        let line = withoutMark(start..<buffer.count)
        start = buffer.count
        return line.isEmpty ? nil : buffer[line]
    }

    // Only the first line may begin with a byte order mark.
    private mutating func withoutMark(_ line: Range<Int>) -> Range<Int> {
        guard isFirst else { return line }
        isFirst = false
        return buffer[line].starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
    }

    private mutating func begin(after end: Int) {
        start = end + 1
        if carriageReturn < lineFeed {
            if start == buffer.count {
                followsCarriageReturn = true
            } else if lineFeed == start {
                start += 1
            }
        }
        find(from: start)
    }

    /// Appends the next bytes of the chunk to the line that has begun.
    private mutating func refill() -> Bool {
        if followsCarriageReturn, let first = chunk.first {
            followsCarriageReturn = false
            if first == UInt8(ascii: "\n") { chunk = chunk.dropFirst() }
        }
        if chunk.isEmpty { return false }
        buffer.removeSubrange(..<start)
        start = 0
        let searched = buffer.count
        buffer.append(contentsOf: chunk.prefix(Self.window))
        chunk = chunk.dropFirst(Self.window)
        lineFeed = searched - 1
        carriageReturn = searched - 1
        find(from: searched)
        return true
    }

    private mutating func find(from position: Int) {
        if lineFeed < position { lineFeed = index(of: UInt8(ascii: "\n"), from: position) }
        if carriageReturn < position {
            carriageReturn =
                endings == .any ? index(of: UInt8(ascii: "\r"), from: position) : buffer.count
        }
    }

    private func index(of byte: UInt8, from position: Int) -> Int {
        // Safety: the pointer stays within the closure, and `memchr` reads no further than the buffer.
        unsafe buffer.withUnsafeBytes { bytes in
            guard position < bytes.count, let base = bytes.baseAddress,
                let found = unsafe memchr(
                    base + position,
                    Int32(byte),
                    bytes.count - position
                )
            else { return bytes.count }
            return unsafe base.distance(to: UnsafeRawPointer(found))
        }
    }

    private var tooLong: HTTP.StreamingError {
        HTTP.StreamingError(
            .tooLong,
            "A line is longer than the limit of \(limit) bytes. Raise the limit if lines of that length are to "
                + "be expected."
        )
    }
}
