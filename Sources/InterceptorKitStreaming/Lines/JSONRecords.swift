public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Body {
    /// Returns the values of a JSON Lines body as they arrive: one JSON text in each line.
    ///
    /// ```swift
    /// for try await order in response.body.jsonLines(of: Order.self) {
    ///     print(order)
    /// }
    /// ```
    ///
    /// A line ends with LF or CR LF; blank lines are skipped, and text after the last line ending is a line too.
    /// The media types of the format, `application/x-ndjson` and `application/jsonl`, are not checked.
    /// - Parameters:
    ///   - type: The type of a value.
    ///   - decoder: The JSON decoder. Defaults to a plain one.
    ///   - limit: The largest size of a line, in bytes. Defaults to 1 MiB; a longer line throws
    ///     ``HTTP/StreamingError/Code/tooLong``.
    ///   - onInvalid: Called with a ``HTTP/StreamingError/Code/invalidRecord`` for a line that cannot be decoded. It
    ///     throws to end the sequence, or returns to skip the line. Throws the error by default.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type,
        using decoder: JSONDecoder = JSONDecoder(),
        limit: Int = 1 << 20,
        onInvalid: @escaping @Sendable (HTTP.StreamingError) throws -> Void = { throw $0 }
    ) -> JSONRecords<Value> {
        JSONRecords(self, .lines, decoder, limit, onInvalid)
    }

    /// Returns the values of a JSON text sequence (RFC 7464) as they arrive: a record separator before each JSON text,
    /// and LF after it.
    ///
    /// A number, `true`, `false` or `null` without a following LF may be cut off, and is invalid (RFC 7464 section
    /// 2.4). The media type of the format, `application/json-seq`, is not checked.
    /// - Parameters:
    ///   - type: The type of a value.
    ///   - decoder: The JSON decoder. Defaults to a plain one.
    ///   - limit: The largest size of a text, in bytes. Defaults to 1 MiB; a longer text throws
    ///     ``HTTP/StreamingError/Code/tooLong``.
    ///   - onInvalid: Called for a text that cannot be decoded. It throws to end the sequence, or returns to skip the
    ///     text, as the RFC recommends for logs. Throws the error by default.
    public func jsonSequence<Value: Decodable & Sendable>(
        of type: Value.Type,
        using decoder: JSONDecoder = JSONDecoder(),
        limit: Int = 1 << 20,
        onInvalid: @escaping @Sendable (HTTP.StreamingError) throws -> Void = { throw $0 }
    ) -> JSONRecords<Value> {
        JSONRecords(self, .textSequence, decoder, limit, onInvalid)
    }

    /// The values of JSON lines or of a JSON text sequence: see ``HTTP/Body/jsonLines(of:using:limit:onInvalid:)``
    /// and ``HTTP/Body/jsonSequence(of:using:limit:onInvalid:)``.
    ///
    /// The body is read as fast as the values are taken. Leaving the loop early releases it.
    public struct JSONRecords<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        public typealias Element = Value

        enum Framing: Sendable {
            case lines
            case textSequence
        }

        let body: HTTP.Body
        let framing: Framing
        let decoder: JSONDecoder
        let limit: Int
        let onInvalid: @Sendable (HTTP.StreamingError) throws -> Void

        init(
            _ body: HTTP.Body,
            _ framing: Framing,
            _ decoder: JSONDecoder,
            _ limit: Int,
            _ onInvalid: @escaping @Sendable (HTTP.StreamingError) throws -> Void
        ) {
            self.body = body
            self.framing = framing
            self.decoder = decoder
            self.limit = limit
            self.onInvalid = onInvalid
        }

        /// Decodes the records, in order.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let records: JSONRecords
            private var chunks: HTTP.Body.AsyncIterator
            private var lines: LineSplitter
            private var texts: SequenceSplitter
            private var number = 0

            init(_ records: JSONRecords) {
                self.records = records
                chunks = records.body.makeAsyncIterator()
                lines = LineSplitter(endings: .lineFeed, limit: records.limit)
                texts = SequenceSplitter(limit: records.limit)
            }

            /// The next value, or `nil` at the end. After an invalid record you can go on with the next one.
            /// - Throws: ``HTTP/StreamingError`` if a record is too long, or what `onInvalid` throws for one
            ///   that is invalid; the error of reading the body.
            public mutating func next() async throws -> Value? {
                while let record = try await nextRecord() {
                    number += 1
                    if let value = try decode(record) { return value }
                }
                return nil
            }

            private mutating func nextRecord() async throws -> Data? {
                while true {
                    if let record = try nextOfChunk() { return record }
                    guard let chunk = try await chunks.next() else { return rest() }
                    switch records.framing {
                    case .lines: lines.append(chunk)
                    case .textSequence: texts.append(chunk)
                    }
                }
            }

            private mutating func nextOfChunk() throws -> Data? {
                switch records.framing {
                case .textSequence: return try texts.next()
                case .lines:
                    while let line = try lines.next() {
                        if !line.allSatisfy(\.isJSONSpace) { return Data(line) }
                    }
                    return nil
                }
            }

            private mutating func rest() -> Data? {
                switch records.framing {
                case .textSequence: texts.rest()
                case .lines: lines.rest().flatMap { $0.allSatisfy(\.isJSONSpace) ? nil : Data($0) }
                }
            }

            private func decode(_ record: Data) throws -> Value? {
                do {
                    guard !isCutOff(record) else { throw cutOff }
                    return try records.decoder.decode(Value.self, from: record)
                } catch {
                    try records.onInvalid(invalid(error))
                    return nil
                }
            }

            private func isCutOff(_ record: Data) -> Bool {
                guard records.framing == .textSequence, let last = record.last else { return false }
                let closing = [UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\"")]
                return !last.isJSONSpace && !closing.contains(last)
            }

            private var cutOff: HTTP.StreamingError {
                HTTP.StreamingError(
                    .invalidRecord,
                    "The text ends without LF, so it may have been cut off."
                )
            }

            private func invalid(_ error: any Error) -> HTTP.StreamingError {
                let failure = (error as? DecodingError).map {
                    HTTP.DecodingFailure($0, decoding: Value.self)
                }
                return HTTP.StreamingError(
                    .invalidRecord,
                    "Record \(number) of the body cannot be decoded as \(Value.self).",
                    cause: failure ?? error
                )
            }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
}
