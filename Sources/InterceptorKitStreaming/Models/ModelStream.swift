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

    /// The rules of a model's output: see `HTTP.Client.modelStream(_:as:options:timeout:configure:)`.
    public struct ModelStreamOptions: Sendable {
        /// How often the request is sent at most, while no event has arrived. Defaults to 3, as in OpenAI's and
        /// Anthropic's clients; at least 1.
        public var attempts = 3
        /// The waits between these. Defaults to full jitter from 500 ms to 8 s, as there.
        public var backoff = Backoff(base: .milliseconds(500), cap: .seconds(8))
        /// Whether the end of the body is the end of the output, once an event has come: for services without an end
        /// event. A stream that is cut off cannot be told from a whole one then, unless the transport tells.
        /// Defaults to `false`: such a stream has broken.
        public var endsWithBody = false
        /// The longest silence before the stream has broken. Defaults to 60 s.
        public var silenceLimit: Duration = .seconds(60)
        /// The largest number of bytes of an event's data, and of a line. Defaults to 1 MiB.
        public var eventLimit = ServerSentEvents.defaultLimit
        /// How much of the output is kept for a ``ModelStreamError``, in bytes of its events' data. Defaults to
        /// 16 MiB.
        public var receivedLimit = Body.defaultLimit

        /// Creates the default rules.
        public init() {}
    }
}

extension HTTP.Client {
    /// Returns the parts of a model's output, as they arrive: JSON in a `text/event-stream` that ends
    /// with `[DONE]`.
    ///
    /// ```swift
    /// for try await chunk in api.modelStream(request, as: Chunk.self) {
    ///     answer += chunk.choices.first?.delta.content ?? ""
    /// }
    /// ```
    ///
    /// Such a request costs money and has no place to resume from. So it is sent again only while nothing of the
    /// output has arrived: when the transport fails, or when the stream breaks before the first event. After it, a
    /// ``HTTP/ModelStreamError`` carries what was received. A stream that ends without its end event has broken too, unless
    /// ``HTTP/ModelStreamOptions/endsWithBody`` is set. Behind the end event, up to 4 KiB and for 100 ms are read and ignored, so that the connection can be used again.
    ///
    /// A status other than 200 and another media type end it with a ``HTTP/StreamingError`` that has the response;
    /// whether such a request is sent again is for the chain's retry to say. Leaving the loop, and cancelling its
    /// task, releases the connection at once, which tells the server to stop.
    ///
    /// Nothing is sent until you read them. Reading throws, beside these errors, that of the chain and a
    /// `CancellationError`.
    /// - Parameters:
    ///   - request: The request, mostly a POST that asks for a stream.
    ///   - type: The type of a part. For another end or format, see
    ///     ``modelStream(_:decoding:options:timeout:configure:)``.
    ///   - options: When the request is sent again, and the limits.
    ///   - timeout: The longest time for each request until its response's head; defaults to the client's.
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

    /// Returns the parts of a model's output, as they arrive and as a decoder interprets its events.
    ///
    /// See ``modelStream(_:as:options:timeout:configure:)``.
    /// - Parameters:
    ///   - request: The request, mostly a POST that asks for a stream.
    ///   - decoder: Says what an event means.
    ///   - options: When the request is sent again, and the limits.
    ///   - timeout: The longest time for each request until its response's head; defaults to the client's.
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
