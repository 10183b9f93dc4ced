extension HTTP {
    /// An operation of a service as a value: its method, path and content, and the decoder for its response.
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
    /// ```
    ///
    /// A client calls it by name, and its request passes the chain like any other:
    ///
    /// ```swift
    /// let order = try await api.call(.order(7))
    /// ```
    public struct Endpoint<Output>: Sendable {
        /// The HTTP method.
        public var method: Method
        /// The path, relative to the host or the client's base URL.
        public var path: URL
        /// The origin to send to, or `nil` to use the client's base URL.
        public var host: Origin?
        /// The query parameters, in order.
        public var query: Parameters
        /// The header fields.
        public var headers: Headers
        /// Decodes the response.
        public var decoder: ResponseDecoder<Output>
        /// A closure that decides which statuses are decoded. Other statuses throw a ``HTTP/ContentError``, unless an
        /// interceptor throws a more specific error first. Defaults to 2xx.
        public var accepts: @Sendable (_ status: Status) -> Bool = { $0.isSuccess }
        /// A closure that changes each call before it starts, for example its retry limit. Defaults to none.
        public var configure: @Sendable (_ call: inout Call) throws -> Void = { _ in }

        private let content: (@Sendable (Runtime) throws -> Content)?

        /// Creates an endpoint without a body.
        /// - Parameters:
        ///   - method: The HTTP method.
        ///   - path: The path. Values in it are percent-encoded and so stay within their segment.
        ///   - host: The origin, as in `https://files.example.com`. Defaults to the client's base URL.
        ///   - query: The query parameters, which are percent-encoded. Defaults to none.
        ///   - headers: The header fields. Defaults to none.
        ///   - decoder: Decodes the response.
        public init(
            _ method: Method,
            _ path: URL,
            host: Origin? = nil,
            query: Parameters = [:],
            headers: Headers = [:],
            decoder: ResponseDecoder<Output>
        ) {
            self.method = method
            self.path = path
            self.host = host
            self.query = query
            self.headers = headers
            self.decoder = decoder
            content = nil
        }

        /// Creates an endpoint with a value as its body.
        /// - Parameters:
        ///   - method: The HTTP method.
        ///   - path: The path. Values in it are percent-encoded and so stay within their segment.
        ///   - host: The origin, as in `https://files.example.com`. Defaults to the client's base URL.
        ///   - query: The query parameters, which are percent-encoded. Defaults to none.
        ///   - headers: The header fields. Defaults to none. A `Content-Type` here replaces the encoder's, except for
        ///     forms with files, whose type contains the boundary of their parts.
        ///   - value: The value to send.
        ///   - encoder: Encodes the value each time the endpoint is called.
        ///   - decoder: Decodes the response.
        public init<Input: Sendable>(
            _ method: Method,
            _ path: URL,
            host: Origin? = nil,
            query: Parameters = [:],
            headers: Headers = [:],
            sending value: Input,
            by encoder: BodyEncoder<Input>,
            decoder: ResponseDecoder<Output>
        ) {
            self.method = method
            self.path = path
            self.host = host
            self.query = query
            self.headers = headers
            self.decoder = decoder
            content = { runtime in try encoder.encode(value, on: runtime) }
        }

        /// Returns the request for a call of this endpoint, with its body encoded away from the caller's actor.
        /// - Parameter runtime: The source of randomness. Defaults to the live runtime.
        /// - Throws: ``HTTP/ContentError`` if the value cannot be encoded; ``HTTP/RequestError`` if the host is invalid
        ///   or the path would lead to another host.
        @concurrent
        public func request(on runtime: Runtime = .live) async throws -> Request {
            var url = path
            if let host {
                try host.validate()
                url = try url.completed(by: "\(host)")
            }
            var request = Request(method, url.appending(query: query), headers: headers)
            guard let content = try content?(runtime) else { return request }
            let own = headers["Content-Type"]
            request = request.content(content)
            if let own, content.mediaType?.begins(with: "multipart/") != true {
                request.headers["Content-Type"] = own
            }
            return request
        }

        func output(of response: Response) async throws -> Output {
            guard accepts(response.status) else {
                await response.discard()
                throw ContentError(
                    .unexpectedStatus,
                    "\(method) \(path) was answered with \(response.status), from which \(Output.self) cannot be "
                        + "read. Put an error filter into the client's chain to see the reason.",
                    response: response
                )
            }
            return try await decoder.decode(response)
        }
    }
}

extension HTTP.Endpoint: CustomStringConvertible {
    /// The method and the URL, with secrets redacted.
    public var description: String {
        guard let host else { return "\(method) \(path)" }
        return "\(method) \(path.joined(to: "\(host)"))"
    }
}

extension HTTP.Endpoint: CustomReflectable {
    /// The description, so that `dump` and debuggers show neither the query nor the value.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": description]) }
}
