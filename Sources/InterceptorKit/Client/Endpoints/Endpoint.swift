extension HTTP {
    /// One thing that a service does, as a value: where, what is sent, and what comes of the response.
    ///
    /// ```swift
    /// extension HTTP.Endpoint {
    ///     static func order(_ id: Int) -> Self where Output == Order {
    ///         Self(.get, "/orders/\(id)", decoder: .json)
    ///     }
    ///     static func place(_ order: NewOrder) -> Self where Output == Order {
    ///         Self(.post, "/orders", sending: order, by: .json, decoder: .json)
    ///     }
    /// }
    ///
    /// let order = try await api.send(.order(7))
    /// ```
    ///
    /// A request for it passes the client's chain as any other.
    public struct Endpoint<Output: Sendable>: Sendable {
        /// How it is asked.
        public var method: Method
        /// Where, below the host or the client's base URL.
        public var path: URL
        /// Whom; `nil` leaves that to the client's base URL.
        public var host: Origin?
        /// Parameters to add to the path, in order.
        public var queries: Parameters
        /// Header fields.
        public var headers: Headers
        /// What comes of the response.
        public var decoder: ResponseDecoder<Output>
        /// Which statuses the decoder is for; others are a ``HTTP/ContentError``, unless an interceptor
        /// makes errors of them first, which know more. Defaults to 2xx.
        public var accepts: @Sendable (_ status: Status) -> Bool = { $0.isSuccess }
        /// Changes each call before it starts: what it leaves out, how often it is repeated. Defaults to
        /// nothing.
        public var configure: @Sendable (_ call: inout Call) throws -> Void = { _ in }

        private let content: (@Sendable (Runtime) throws -> Content)?

        /// Creates an endpoint to which nothing is sent but its name.
        /// - Parameters:
        ///   - method: How it is asked.
        ///   - path: Where. Values in it are percent-encoded, so that they stay within their segment.
        ///   - host: Whom, as in `https://files.example.com`. Defaults to the client's base URL.
        ///   - queries: Parameters, percent-encoded. Defaults to none.
        ///   - headers: Defaults to none.
        ///   - decoder: What comes of the response.
        public init(
            _ method: Method,
            _ path: URL,
            host: Origin? = nil,
            queries: Parameters = [:],
            headers: Headers = [:],
            decoder: ResponseDecoder<Output>
        ) {
            self.method = method
            self.path = path
            self.host = host
            self.queries = queries
            self.headers = headers
            self.decoder = decoder
            content = nil
        }

        /// Creates an endpoint to which a value is sent.
        /// - Parameters:
        ///   - method: How it is asked.
        ///   - path: Where. Values in it are percent-encoded, so that they stay within their segment.
        ///   - host: Whom, as in `https://files.example.com`. Defaults to the client's base URL.
        ///   - queries: Parameters, percent-encoded. Defaults to none.
        ///   - headers: Defaults to none. A `Content-Type` in them takes the place of the encoder's, but for
        ///     forms with files, whose says where their parts end.
        ///   - value: What is sent.
        ///   - encoder: How it becomes a body, each time the endpoint is called.
        ///   - decoder: What comes of the response.
        public init<Input: Sendable>(
            _ method: Method,
            _ path: URL,
            host: Origin? = nil,
            queries: Parameters = [:],
            headers: Headers = [:],
            sending value: Input,
            by encoder: BodyEncoder<Input>,
            decoder: ResponseDecoder<Output>
        ) {
            self.method = method
            self.path = path
            self.host = host
            self.queries = queries
            self.headers = headers
            self.decoder = decoder
            content = { runtime in try encoder.encode(value, on: runtime) }
        }

        /// The request that a call of it sends, its body encoded away from the caller's actor.
        /// - Parameter runtime: Where chance comes from. Defaults to the live runtime.
        /// - Throws: ``HTTP/ContentError`` if the value cannot be encoded; ``HTTP/RequestError`` for a
        ///   host that is none or a path that would lead elsewhere below it.
        @concurrent
        public func request(on runtime: Runtime = .live) async throws -> Request {
            var url = path
            if let host {
                try host.validate()
                url = try url.completed(by: "\(host)")
            }
            var request = Request(method, url.appending(query: queries.asTuples), headers: headers)
            guard let content = try content?(runtime) else { return request }
            let own = headers["Content-Type"]
            request = request.content(content)
            if let own, content.mediaType?.hasPrefix("multipart/") != true {
                request.headers["Content-Type"] = own
            }
            return request
        }

        func output(of response: Response) async throws -> Output {
            guard accepts(response.status) else {
                await response.discard()
                throw ContentError(
                    .unexpectedStatus,
                    "\(method) \(path) was answered with \(response.status), from which no \(Output.self) is "
                        + "read. An error filter in the client's chain says more."
                )
            }
            return try await decoder.decode(response)
        }
    }
}

extension HTTP.Endpoint: CustomStringConvertible {
    /// The method and where it goes, secrets redacted.
    public var description: String {
        guard let host else { return "\(method) \(path)" }
        return "\(method) \(path.joined(to: "\(host)"))"
    }
}

extension HTTP.Endpoint: CustomReflectable {
    /// The same, so that `dump` and debuggers show neither queries nor what is sent.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": description]) }
}
