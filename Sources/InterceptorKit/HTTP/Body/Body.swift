#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// The content of a request or response: an asynchronous sequence of byte chunks that knows whether it can be read
    /// again.
    ///
    /// A body that cannot be sent again is sent once and never replaced by an empty one. A response's body
    /// can be read once, while it arrives; reading it again throws.
    public struct Body: Sendable {
        enum Storage: Sendable {
            case bytes(Data)
            // Indirect, to keep bodies in memory, the common case, small: requests are copied often.
            indirect case file(FileRegion)
            indirect case replayable(length: Int?, @Sendable () async throws -> any HTTP.BodyStream)
            case oneShot(OneShotBody)
        }

        // One byte, for the same reason.
        enum Format: UInt8, Sendable {
            case json
            case form
            case text
        }

        let storage: Storage
        let format: Format?

        init(_ storage: Storage, as format: Format? = nil) {
            self.storage = storage
            self.format = format
        }

        /// A body without content.
        public static let empty = Body(.bytes(Data()))

        /// Returns a body with content in memory.
        public static func bytes(_ bytes: some Sequence<UInt8>) -> Body {
            Body(.bytes(bytes as? Data ?? Data(bytes)))
        }

        /// Returns a body with text in UTF-8.
        ///
        /// A request without a `Content-Type` is sent as `text/plain; charset=utf-8`, as `fetch` does in
        /// browsers (Fetch Standard, "extract a body").
        public static func text(_ text: String) -> Body { .text(text, as: .text) }

        static func text(_ text: String, as format: Format) -> Body {
            Body(.bytes(Data(text.utf8)), as: format)
        }

        /// Returns a body with a value as JSON.
        ///
        /// A request without a `Content-Type` is sent as `application/json`.
        /// - Parameters:
        ///   - value: The value to encode.
        ///   - encoder: The JSON encoder. Defaults to a plain one.
        /// - Throws: `EncodingError`.
        public static func json(
            _ value: some Encodable,
            using encoder: JSONEncoder = JSONEncoder()
        ) throws -> Body {
            Body(.bytes(try encoder.encode(value)), as: .json)
        }

        /// Returns a body with a file or a range of its bytes, read while it is sent.
        ///
        /// A folder, pipe or device is refused before anything is sent. A file that states no size, such as one in
        /// `/proc`, is read to its end and has no ``length``.
        /// - Parameters:
        ///   - path: The file's path.
        ///   - range: The bytes to send. Defaults to the whole file.
        public static func file(_ path: String, range: Range<Int>? = nil) -> Body {
            Body(.file(FileRegion(path: path, range: range)))
        }

        /// Returns a body that makes a new stream for each attempt.
        /// - Parameters:
        ///   - length: The number of bytes, if known.
        ///   - make: Makes the stream from its beginning.
        public static func replayable<Chunks: AsyncSequence & Sendable>(
            length: Int? = nil,
            _ make: @escaping @Sendable () async throws -> Chunks
        ) -> Body where Chunks.Element == Data {
            Body(.replayable(length: length) { SequenceStream(try await make()) })
        }

        /// Returns a body with a stream that can be read once.
        /// - Parameters:
        ///   - length: The number of bytes, if known.
        ///   - chunks: The stream.
        public static func oneShot<Chunks: AsyncSequence & Sendable>(
            length: Int? = nil,
            _ chunks: Chunks
        ) -> Body where Chunks.Element == Data {
            oneShot(length: length, SequenceStream(chunks))
        }

        /// Returns a body that makes a new stream for each attempt.
        /// - Parameters:
        ///   - length: The number of bytes, if known.
        ///   - make: Makes the stream from its beginning.
        public static func replayable<Stream: HTTP.BodyStream>(
            length: Int? = nil,
            _ make: @escaping @Sendable () async throws -> Stream
        ) -> Body {
            Body(.replayable(length: length) { try await make() })
        }

        /// Returns a body that can be read once, for content that a transport receives.
        /// - Parameters:
        ///   - length: The number of bytes, if known.
        ///   - stream: The chunks as they arrive.
        public static func oneShot(length: Int? = nil, _ stream: some HTTP.BodyStream) -> Body {
            Body(.oneShot(OneShotBody(length: length, stream)))
        }

        /// Returns a received body whose bytes have all arrived. It can be read once, as any received body.
        package static func arrived(_ content: Data) -> Body {
            Body(.oneShot(OneShotBody(content)))
        }

        /// The bytes of an unread body that has arrived.
        var arrivedContent: Data? {
            if case .oneShot(let body) = storage { body.content } else { nil }
        }

        /// Whether the body can be sent more than once.
        public var isReplayable: Bool {
            if case .oneShot = storage { false } else { true }
        }

        /// Whether the body is still arriving: neither read to its end nor cancelled. `false` for a body that can be
        /// read again.
        public var isOpen: Bool {
            if case .oneShot(let body) = storage { body.isOpen } else { false }
        }

        /// Returns the stream that the body was made from, if it has this type and is unread. The body then counts as
        /// read.
        ///
        /// An adapter uses this to pass its own body on without reading it.
        /// - Parameter type: The stream's type.
        public func takeUnreadStream<Stream: HTTP.BodyStream>(as type: Stream.Type) -> Stream? {
            if case .oneShot(let body) = storage { body.takeUnread(as: type) } else { nil }
        }

        /// The number of bytes, if known without reading.
        public var length: Int? {
            switch storage {
            case .bytes(let data): data.count
            case .file(let region): region.length
            case .replayable(let length, _): length
            case .oneShot(let body): body.length
            }
        }

        /// Whether the body is known to have no bytes.
        public var isEmpty: Bool { length == 0 }

        /// The media type that the body was made with, such as `application/json`; `nil` for bytes, files and streams,
        /// which may have any type.
        public var mediaType: String? { format?.mediaType }

        /// The trailer fields of a response (RFC 9110 section 6.5); `nil` before the body was read to its end, if there
        /// are none, and if the transport's engine drops them.
        public var trailers: Headers? {
            if case .oneShot(let body) = storage { body.trailers } else { nil }
        }

        /// The bytes, if all of them are in memory.
        public var inMemory: Data? {
            if case .bytes(let data) = storage { data } else { nil }
        }

        /// The file and range that the body is read from; `nil` if it is no file.
        public var file: FileRegion? {
            if case .file(let region) = storage { region } else { nil }
        }
    }

    /// A file, or a range of its bytes.
    public struct FileRegion: Sendable, Hashable {
        /// The file's path.
        public let path: String
        /// The bytes; `nil` means the whole file.
        public let range: Range<Int>?
    }
}

extension HTTP.Body.Format {
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .text: "text/plain; charset=utf-8"
        }
    }
}

extension HTTP.Body: ExpressibleByStringLiteral {
    /// Creates a body with text in UTF-8.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension HTTP.Body: CustomStringConvertible {
    /// The body's kind and length, never its content.
    public var description: String {
        let size = length.map { "\($0) bytes" } ?? "unknown length"
        return switch storage {
        case .bytes: size
        case .file: "file, \(size)"
        case .replayable: "stream, \(size)"
        case .oneShot: "one-shot stream, \(size)"
        }
    }
}

extension HTTP.Body: CustomReflectable {
    /// The description, so that `dump` and debuggers do not show content.
    public var customMirror: Mirror { Mirror(self, children: ["content": description]) }
}
