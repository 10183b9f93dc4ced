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
    /// characters. A line has at most 1 MiB; see ``lines(limit:)``.
    ///
    /// The body is read at the pace of the loop, and leaving the loop early releases it. Reading throws
    /// ``HTTP/StreamingError`` for a longer line, and the errors of reading the body.
    public var lines: some AsyncSequence<String, any Error> & Sendable {
        lines(limit: Lines.defaultLimit)
    }

    /// Returns the body's lines of UTF-8 text, as they arrive; see ``lines``.
    /// - Parameter limit: The largest size of a line, in bytes. A longer line throws
    ///   ``HTTP/StreamingError/Code/tooLong``.
    public func lines(limit: Int) -> some AsyncSequence<String, any Error> & Sendable {
        Lines(body: self, limit: limit)
    }

    struct Lines: AsyncSequence, Sendable {
        static let defaultLimit = 1 << 20

        let body: HTTP.Body
        let limit: Int

        struct AsyncIterator: AsyncIteratorProtocol {
            private var chunks: HTTP.Body.AsyncIterator
            private var splitter: LineSplitter

            init(_ lines: Lines) {
                chunks = lines.body.makeAsyncIterator()
                splitter = LineSplitter(limit: lines.limit)
            }

            mutating func next() async throws -> String? {
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

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
}
