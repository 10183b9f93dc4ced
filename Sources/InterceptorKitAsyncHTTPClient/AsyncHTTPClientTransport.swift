#if AsyncHTTPClient
public import AsyncHTTPClient
public import InterceptorKit
public import NIOCore

/// Sends HTTP requests with AsyncHTTPClient, on SwiftNIO.
///
/// **What it does.** The response comes when its head is there; its body arrives as it is read, and no
/// faster: what is not read stays with the server. A body dropped unread or cancelled ends the
/// transfer. Redirects, cookies and caching are interceptors': a 3xx or 401 is delivered as it came.
/// Cancelling the caller's task ends the send at once with `CancellationError`. A call's deadline is
/// kept to the millisecond until the head is there.
///
/// **What the wire carries** is the request as the last interceptor left it, fields in their order,
/// spelling and number, and besides:
/// - `Host`, unless the request has one;
/// - `Content-Length`, or `Transfer-Encoding: chunked` for a body of unknown length;
/// - `Accept-Encoding: gzip, deflate` unless the request has one, where decompression is on; this one
///   is in the response's `request` too.
///
/// Bodies from files and streams are sent as they are read, at the connection's pace.
///
/// **Compressed bodies** come as they are, and are called so, because a body that is decoded behind a
/// field that says otherwise helps nobody and a small one can grow without bound. Where decompression is
/// on, `Content-Encoding` and `Content-Length` are removed from a response that was decoded.
///
/// **Whose client.** A transport made with ``init(configuration:eventLoopGroup:)`` has a client of its
/// own and shuts it down when it is closed or, at the latest, when the transport and the last body of
/// its responses are gone. One made with ``init(_:decompresses:)`` uses a client that its maker shuts
/// down. In a server, keep one transport for as long as the server runs and end it after the server:
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
/// **Spans** are interceptors' too. AsyncHTTPClient records one for each request with the process's tracer
/// unless told otherwise, shows the URL's query in it, and adds the tracer's fields to those that the
/// request has, so that `traceparent` would be there twice, which no receiver reads (W3C Trace Context
/// section 3.3). The transport's own client therefore traces nothing. One that was given does as it is
/// configured: have it made with `tracing.tracer = nil`, or have no interceptor write those fields.
///
/// **What a server can do to the process.** A response with a status below 100 ends it in AsyncHTTPClient
/// 1.37, and so do several malformed ones over HTTP/2, and one that is complete before its request, when
/// its connection ends. The transport's own client refuses malformed ones before they come so far, with
/// `TransportError.Code.protocolViolation`, and ends the upload that a response has overtaken; it closes an
/// HTTP/1.1 connection on which bytes come that nobody asked for, and an HTTP/2 connection whose protocol is
/// violated. A client that was given does so if its configuration began as ``defaultConfiguration``. Any
/// other, as `HTTPClient.shared`, is for servers that you trust.
///
/// **What AsyncHTTPClient keeps to itself** (1.37): trailers and interim responses are read and
/// dropped; over HTTP/2, field names travel in lower case.
public struct AsyncHTTPClientTransport: Transport {
    public typealias Input = HTTP.Request

    private let engine: Engine

    /// Creates a transport with an HTTP client of its own.
    /// - Parameters:
    ///   - configuration: Of the client. Redirects are never followed, no spans recorded and responses
    ///     that end the process refused, whatever it says. Defaults to ``defaultConfiguration``.
    ///   - eventLoopGroup: Where the client does its work; it is not shut down. Defaults to the
    ///     process's own.
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

    /// Creates a transport on an HTTP client that somebody else shuts down.
    /// - Parameters:
    ///   - client: The client. It must not follow redirects (`redirectConfiguration: .disallow`), which
    ///     are an interceptor's: a redirect that it followed, as `HTTPClient.shared` does, fails the
    ///     request. Where interceptors write a trace's fields, it must not trace (`tracing.tracer`). Have
    ///     it made with ``defaultConfiguration``, changed as needed, or a server can end the process.
    ///   - decompresses: Whether its configuration has `decompression` on, as that of
    ///     `HTTPClient.shared` has. Defaults to `false`.
    public init(_ client: HTTPClient, decompresses: Bool = false) {
        engine = Engine(client, isOwn: false, decompresses: decompresses)
    }

    /// AsyncHTTPClient's own defaults, but for four: redirects are not followed; a connection that
    /// cannot be made fails the request at once, since trying again is an interceptor's; a
    /// connection that is silent for 60 seconds while a response is awaited fails it (`timeout.read`),
    /// which also ends a body whose reader pauses so long; and responses that end the process are
    /// refused, by handlers that the `DebugInitializer`s of the configuration add to each connection.
    public static var defaultConfiguration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.read = .seconds(60)
        configuration.guardConnections()
        return configuration
    }

    /// Ends what is under way with `TransportError.Code.closed` and refuses what comes, without waiting
    /// for it. May be called more than once. Does nothing to a client that was given.
    public func close() { engine.close() }

    /// Closes the transport and returns when its connections are gone. Does nothing to a client that
    /// was given.
    public func shutdown() async { try? await engine.close()?.get() }

    public func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try Task.checkCancellation()
        try request.validate()
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
            throw Failure(error, of: request, .beforeHead).error
        }
    }
}

extension TransportError {
    /// The engine says "cancelled" also when it has given a request to a connection that closes.
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
