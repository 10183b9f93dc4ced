#if AsyncHTTPClient
public import AsyncHTTPClient
public import InterceptorKit
public import NIOCore

/// Sends HTTP requests with AsyncHTTPClient, on SwiftNIO.
///
/// **Behaviour.** The transport returns the response when its head has arrived; the body arrives only as it is read,
/// and unread data stays at the server. A body dropped unread or cancelled ends the transfer. Interceptors handle
/// redirects, cookies and caching: a 3xx or 401 is delivered unchanged. Cancelling the caller's task ends the send at
/// once with `CancellationError`. A call's deadline is kept to the millisecond until the head has arrived.
///
/// **Fields.** The request is sent as the last interceptor left it, with fields in their order, spelling and number,
/// and in addition:
/// - `Host`, unless the request has one;
/// - `Content-Length`, or `Transfer-Encoding: chunked` for a body of unknown length;
/// - `Accept-Encoding: gzip, deflate` unless the request has one, if decompression is on; it is also in the response's
///   `request`.
///
/// Bodies from files and streams are sent while they are read, at the connection's pace.
///
/// **Compressed bodies** are delivered compressed by default, with their `Content-Encoding`, because a small one can
/// expand without limit. If decompression is on, `Content-Encoding` and `Content-Length` are removed from a decoded
/// response.
///
/// **Ownership.** A transport made with ``init(configuration:eventLoopGroup:)`` has its own client and shuts it down
/// when it is closed or, at the latest, when the transport and the last body of its responses are released. A transport
/// made with ``init(_:decompresses:)`` uses a client that its owner shuts down. In a server, keep one transport for as
/// long as the server runs and end it after the server:
///
/// ```swift
/// let transport = AsyncHTTPClientTransport()
/// let client = try HTTP.Client(transport: transport) {
///     RetryInterceptor(policy: .standard)
/// }
/// try await serve(with: client)
/// await transport.shutdown()
/// ```
///
/// **Spans** belong to interceptors too. By default, AsyncHTTPClient records one for each request with the process's
/// tracer, shows the URL's query in it, and adds the tracer's fields to the request's own, so that `traceparent` would
/// occur twice, which no receiver reads (W3C Trace Context section 3.3). The transport's own client therefore traces
/// nothing. An existing client follows its configuration: make it with `tracing.tracer = nil`, or let no interceptor
/// write those fields.
///
/// **Process crashes.** In AsyncHTTPClient 1.37, these responses end the process: one with a status below 100, several
/// malformed ones over HTTP/2, and one that is complete before its request when its connection ends. The transport's
/// own client refuses malformed ones first, with `TransportError.Code.protocolViolation`, and ends an upload after an
/// early response. It closes an HTTP/1.1 connection with unsolicited bytes, and an HTTP/2 connection whose protocol is
/// violated. An existing client does so if its configuration is based on ``defaultConfiguration``. Use any other, such
/// as `HTTPClient.shared`, only for servers that you trust.
///
/// **Unprocessed requests.** A server may end an HTTP/2 connection after a number of requests, as nginx does after
/// 1,000, and refuse streams. A request that the server declares unprocessed (RFC 9113 sections 6.8 and 8.7) fails with
/// `TransportError.Code.connectionLost` and `isUnsent` set, and the retry above sends it again. AsyncHTTPClient itself
/// resends nothing, so a chain without a retry loses the requests that meet such an end. Requests that the server may
/// have processed are lost with the connection.
///
/// **Early responses.** A server may respond over HTTP/2 before it has read the request, and end the stream (RFC 9113
/// section 8.1). A response of at most 65,535 bytes that states its length is delivered: it is held for up to a second
/// until it is whole. AsyncHTTPClient fails others if the stream ends before they are read. Over HTTP/1.1 it fails a
/// response after which the host closes the connection before the request is sent completely; the transport's own
/// client delivers it, if it states its length or is chunked.
///
/// **Lost connections.** A connection that is lost while it is made, in the TLS handshake too, fails with
/// `TransportError.Code.cannotConnect` and `isUnsent` set. In an existing client, a reset then can't be told from one
/// within a request, and is `TransportError.Code.connectionLost`.
///
/// **Proxies** are in the configuration (`proxy`). A tunnel that a proxy refuses fails with
/// `TransportError.Code.proxyRefused` after a 407, and otherwise with `TransportError.Code.cannotConnect`, since
/// AsyncHTTPClient does not report the status; nothing was sent.
///
/// **Limitations of AsyncHTTPClient** (1.37): trailers and interim responses are read and dropped; over HTTP/2, field
/// names are sent in lower case; a call's `connectAddress` throws `TransportError.Code.unsupported`, and nothing is
/// sent. `CurlTransport` supports it.
public struct AsyncHTTPClientTransport: Transport {
    public typealias Input = HTTP.Request

    private let engine: Engine

    /// Creates a transport with its own HTTP client.
    /// - Parameters:
    ///   - configuration: The client's configuration. Regardless of it, redirects are not followed, no spans are
    ///     recorded and responses that end the process are refused. Defaults to ``defaultConfiguration``.
    ///   - eventLoopGroup: The client's event loops, which are not shut down. Defaults to the process's own.
    public init(
        configuration: HTTPClient.Configuration = Self.defaultConfiguration,
        eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup
    ) {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        configuration.tracing.tracer = nil
        configuration.guardConnections()
        var decompresses = false
        if case .enabled = configuration.decompression { decompresses = true }
        engine = Engine(
            HTTPClient(
                eventLoopGroupProvider: .shared(eventLoopGroup),
                configuration: configuration
            ),
            isOwn: true,
            decompresses: decompresses
        )
    }

    /// Creates a transport with an existing HTTP client, which its owner shuts down.
    /// - Parameters:
    ///   - client: The client. It must not follow redirects (`redirectConfiguration: .disallow`), which belong to an
    ///     interceptor: a redirect that it followed, as `HTTPClient.shared` does, fails the request. If interceptors
    ///     write a trace's fields, it must not trace (`tracing.tracer`). Make it with ``defaultConfiguration``, changed
    ///     as needed; otherwise a server can end the process.
    ///   - decompresses: Whether its configuration has `decompression` on, as that of `HTTPClient.shared` does.
    ///     Defaults to `false`.
    public init(_ client: HTTPClient, decompresses: Bool = false) {
        engine = Engine(client, isOwn: false, decompresses: decompresses)
    }

    /// AsyncHTTPClient's own defaults with four changes: redirects are not followed; a failed connection fails the
    /// request at once, because retrying belongs to an interceptor; a connection that is silent for 60 seconds during a
    /// response fails it (`timeout.read`), which also ends a body whose reader pauses that long; and responses that end
    /// the process are refused, by handlers that the configuration's `DebugInitializer`s add to each connection.
    public static var defaultConfiguration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.read = .seconds(60)
        configuration.guardConnections()
        return configuration
    }

    /// Ends all transfers with `TransportError.Code.closed` and refuses new ones, without waiting. Can be called more
    /// than once. Does nothing to an existing client.
    public func close() { engine.close() }

    /// Closes the transport and returns when its connections are closed. Does nothing to an existing client.
    public func shutdown() async { try? await engine.close()?.get() }

    public func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try Task.checkCancellation()
        try request.validate()
        try call.refuseConnectAddress(
            over: "AsyncHTTPClient",
            host: request.url.origin?.authority ?? ""
        )
        let request = engine.decompresses ? request.acceptingCompression() : request
        let deadline = NIODeadline(call)
        guard deadline > .now() else {
            throw TransportError.deadlinePassedBeforeSending(
                host: request.url.origin?.authority ?? ""
            )
        }
        let outgoing = try await OutgoingRequest(request, call: call)
        do {
            let response = try await engine.client.execute(outgoing.request, deadline: deadline)
            return try await HTTP.Response(response, to: request, sentWith: outgoing, over: engine)
        } catch {
            outgoing.stream?.cancel()
            if Task.isCancelled { throw CancellationError() }
            if error as? HTTPClientError == .cancelled, engine.isCertainlyOpen {
                throw TransportError.connectionClosing(request.url.origin?.authority ?? "", error)
            }
            throw Failure(error, of: request, .beforeHead(isGuarded: engine.isOwn)).error
        }
    }
}

extension TransportError {
    /// The error for a request assigned to a connection that closes, which the engine also reports as "cancelled".
    fileprivate static func connectionClosing(_ host: String, _ cause: any Error) -> Self {
        TransportError(
            .connectionLost,
            "The connection to \(host) was being closed, and nothing was sent on it.",
            isUnsent: true,
            cause: cause
        )
    }
}

extension NIODeadline {
    /// The call's deadline on the engine's clock.
    fileprivate init(_ call: Call) {
        guard let remaining = call.remaining else {
            self = .distantFuture
            return
        }
        let (seconds, attoseconds) = remaining.components
        // Some 285 years, beyond which nanoseconds do not fit.
        guard seconds < 9_000_000_000 else {
            self = .distantFuture
            return
        }
        self = .now() + .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
#endif
