public import InterceptorKit

extension HTTP.Body {
    /// The body's lines of UTF-8 text, as they arrive.
    ///
    /// ```swift
    /// for try await line in try await api.send(.get("/log")).body.lines {
    ///     print(line)
    /// }
    /// ```
    ///
    /// Lines end with CR LF, LF or CR, which are not part of a line. Empty lines count; text after the last line ending
    /// is a line too. A byte order mark at the beginning is dropped, and bytes that are not UTF-8 become replacement
    /// characters. A line has at most 1 MiB: see ``lines(limit:)``.
    public var lines: Lines { lines(limit: Lines.defaultLimit) }

    /// Returns the body's lines of UTF-8 text, as they arrive: see ``lines``.
    /// - Parameter limit: The largest size of a line, in bytes. A longer line throws
    ///   ``HTTP/StreamingError/Code/tooLong``.
    public func lines(limit: Int) -> Lines { Lines(body: self, limit: limit) }

    /// The lines of a body: see ``HTTP/Body/lines``.
    ///
    /// The body is read at the pace of the loop. Leaving the loop early releases the body.
    public struct Lines: AsyncSequence, Sendable {
        /// The default limit of a line's size: 1 MiB.
        public static let defaultLimit = 1 << 20

        let body: HTTP.Body
        let limit: Int

        /// Reads the lines, in order.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var chunks: HTTP.Body.AsyncIterator
            private var splitter: LineSplitter

            init(_ lines: Lines) {
                chunks = lines.body.makeAsyncIterator()
                splitter = LineSplitter(limit: lines.limit)
            }

            /// Returns the next line, or `nil` at the end.
            /// - Throws: ``HTTP/StreamingError`` if the line is longer than the limit; the error of reading the body.
            public mutating func next() async throws -> String? {
                while true {
                    if let line = try splitter.next() {
                        return String(decoding: line, as: UTF8.self)
                    }
                    guard let chunk = try await chunks.next() else {
                        return splitter.rest().map { String(decoding: $0, as: UTF8.self) }
                    }
                    splitter.append(chunk)
                }
            }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
}
