public import InterceptorKit

extension HTTP {
    /// The parts of a model's output, as they arrive.
    struct ModelStream<Output: Sendable>: AsyncSequence, Sendable {
        typealias Element = Output

        let client: Client
        let request: Request
        let decoder: EventDecoder<Output>
        let options: ModelStreamOptions
        let timeout: Duration?
        let configure: @Sendable (inout Call) throws -> Void

        struct AsyncIterator: AsyncIteratorProtocol {
            private var reading: ModelStreamReading<Output>

            init(_ stream: ModelStream) { reading = ModelStreamReading(stream) }

            mutating func next() async throws -> Output? { try await reading.next() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }

    /// The rules for a model's output; see `HTTP.Client.modelStream(_:as:options:timeout:configure:)`.
    public struct ModelStreamOptions: Sendable {
        /// The largest number of times that the request is sent while no event has arrived. Defaults to 3, as in
        /// OpenAI's and Anthropic's clients; at least 1.
        public var attempts = 3
        /// The waits between attempts. Defaults to full jitter from 500 ms to 8 s, as in these clients.
        public var backoff = Backoff(base: .milliseconds(500), cap: .seconds(8))
        /// Whether the end of the body, after at least one event, is the end of the output, for services without an end
        /// event. A stream that was cut off then looks complete, unless the transport reports it. Defaults to `false`:
        /// such a stream counts as broken.
        public var endsWithBody = false
        /// The longest silence, after which the stream counts as broken. Defaults to 60 s.
        public var silenceLimit: Duration = .seconds(60)
        /// The largest size of an event's data and of a line, in bytes. Defaults to 1 MiB.
        public var eventLimit = ServerSentEvents.defaultLimit
        /// The amount of output kept for a ``ModelStreamError``, in bytes of event data. Defaults to 16 MiB.
        public var receivedLimit = Body.defaultLimit

        /// Creates the default rules.
        public init() {}
    }
}

extension HTTP.Client {
    /// Returns the parts of a language model's output as they arrive: JSON in a `text/event-stream` that ends with
    /// `[DONE]`.
    ///
    /// ```swift
    /// for try await chunk in api.modelStream(request, as: Chunk.self) {
    ///     answer += chunk.choices.first?.delta.content ?? ""
    /// }
    /// ```
    ///
    /// The request is sent when reading begins. Because a model request costs money and cannot be resumed, it is sent
    /// again only while no output has arrived: when the transport fails, or when the stream breaks before the first
    /// event. After the first event, a break throws a ``HTTP/ModelStreamError`` with the received output. A stream
    /// without an end event counts as broken, unless ``HTTP/ModelStreamOptions/endsWithBody`` is set. After the end
    /// event, up to 4 KiB are read and ignored for up to 100 ms, so that the connection can be reused.
    ///
    /// A status other than 200, or another media type, throws a ``HTTP/StreamingError`` that has the response; only the
    /// chain's retry may send such a request again. Leaving the loop, or cancelling its task, releases the connection
    /// at once, which tells the server to stop. Reading also throws the errors of the chain and `CancellationError`.
    /// - Parameters:
    ///   - request: The request, usually a POST that asks for a stream.
    ///   - type: The type of a part. For another end or format, see
    ///     ``modelStream(_:decoding:options:timeout:configure:)``.
    ///   - options: The rules for sending the request again, and the limits.
    ///   - timeout: The longest time for each request until the head of its response. Defaults to the client's.
    ///   - configure: Changes each call before it starts.
    public func modelStream<Output: Decodable & Sendable>(
        _ request: HTTP.Request,
        as type: Output.Type,
        options: HTTP.ModelStreamOptions = HTTP.ModelStreamOptions(),
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) -> some AsyncSequence<Output, any Error> & Sendable {
        modelStream(
            request,
            decoding: .json(),
            options: options,
            timeout: timeout,
            configure: configure
        )
    }

    /// Returns the parts of a language model's output as they arrive, decoded from events by a decoder.
    ///
    /// See ``modelStream(_:as:options:timeout:configure:)``.
    /// - Parameters:
    ///   - request: The request, usually a POST that asks for a stream.
    ///   - decoder: Returns the meaning of each event.
    ///   - options: The rules for sending the request again, and the limits.
    ///   - timeout: The longest time for each request until the head of its response. Defaults to the client's.
    ///   - configure: Changes each call before it starts.
    public func modelStream<Output: Sendable>(
        _ request: HTTP.Request,
        decoding decoder: HTTP.EventDecoder<Output>,
        options: HTTP.ModelStreamOptions = HTTP.ModelStreamOptions(),
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) -> some AsyncSequence<Output, any Error> & Sendable {
        HTTP.ModelStream(
            client: self,
            request: request,
            decoder: decoder,
            options: options,
            timeout: timeout,
            configure: configure
        )
    }
}
