import CInterceptorKitCurl
public import InterceptorKit
import InterceptorKitEngine

/// Sends HTTP requests with the system's libcurl, which is opened when the transport is created.
///
/// **Behaviour.** The transport returns the response when its head has arrived; the body arrives as it is read, and a
/// slow reader makes the server wait. A body dropped unread or cancelled ends the transfer. A request's body is sent
/// from memory, from a file or part of one, or from a stream, with `Content-Length` if the length is known. Interim
/// responses go to `Call.onInformational`, the progress of a request's body to `Call.onBodySent`, trailers to
/// `HTTP.Body.trailers`. Cancelling the caller's task ends the send at once with `CancellationError`. A call's deadline
/// applies until the head has arrived; after that ``Settings/idleTimeout`` limits silence. Interceptors, not libcurl,
/// handle redirects, cookies, caching and credentials.
///
/// **Threads and connections.** One thread runs the transfers of a transport; the caller's thread starts a transfer
/// that is alone. The thread starts with the first transfer and ends when the transport is closed, or released with
/// nothing under way. While sixteen or more transfers are under way that cannot share a connection (HTTP/1.1 without
/// TLS, or by ``Settings/version``), up to three more threads help, one for each further processor, with connections of
/// their own within the same limits. Connections are kept and reused; over TLS, HTTP/2 is used if the server supports
/// it, and many requests share a connection. A request whose body is sent in pieces (more than 64 KiB, a file, a
/// stream, or with its progress observed) has a connection to itself meanwhile, on another thread.
///
/// **Fields.** The request is sent as the last interceptor left it: the same target, and the same fields in the same
/// order and spelling, with repeats on separate lines. Added are `Host` if it is missing, the framing of the body
/// (`Content-Length` or `Transfer-Encoding`), and `Accept-Encoding` if it is missing, which is also in the response's
/// `request`. No `User-Agent` and no `Accept` are sent unless the request has them.
///
/// **Codings.** A body in `gzip`, `deflate`, `br` or `zstd`, if the system has the libraries that libcurl uses for it,
/// is decoded while it is read; so are up to five codings in a row. `Content-Encoding` and `Content-Length` are then
/// removed, because they no longer describe the body. A truncated or broken body fails. A body in another coding is
/// delivered unchanged, as is every body whose request has its own `Accept-Encoding`, or a `Range`, because ranges
/// refer to the encoded form.
///
/// **Another address.** A call's `Call.connectAddress` is connected to in place of the URL's host, whose name remains
/// in TLS and `Host`. A connection to one address serves only requests to that address.
///
/// **Sent once.** When a reused connection breaks before any response, libcurl itself resends the request, whatever its
/// method; this transport refuses that. The call fails with `TransportError.Code.connectionLost` and `isUnsent` set to
/// `false`, and interceptors decide. A connection that the server closed, or sent something on, while it was idle is
/// not used: a request that has not left goes over a new one. An HTTP/2 stream that the server declares unprocessed
/// (RFC 9113 sections 6.8 and 8.7), because it ends a connection after a number of requests, goes over another
/// connection; if the request's body is a stream that has begun, the call fails with `isUnsent` set. libcurl reports
/// this only in text, before 7.88 little of it, and in no version for one stream refused on a reused connection: such a
/// request fails as lost. So does a request that a server wants over HTTP/1.1 (`HTTP_1_1_REQUIRED`), for which there is
/// ``Settings/version``. libcurl before 7.80 does not ask before it resends, so no connection is used twice there; to
/// get kept connections back, and resends with them, set libcurl's options 74 and 75 to 0 in ``Settings/options``.
/// `isUnsent` is set only for these and for requests for which no connection was ever ready.
///
/// **A response is whole** when its stated length has arrived, whether or not the rest of the request is sent, since a
/// server may end an HTTP/2 stream with its response (RFC 9113 section 8.1). A server that keeps reading over HTTP/2
/// gets the rest; when it has taken nothing for a second, the request ends. libcurl before 8.1 drops a response that
/// comes in one TLS record with the end of its stream, and, rarely, the response to a body of 64 KiB at most on a
/// shared connection: those fail with `TransportError.Code.protocolViolation`.
///
/// **Targets** are sent unchanged, also with a `?` and nothing after it and with small letters in `%2f`, which some
/// versions of libcurl would change. Where ``Settings/options`` and a proxy for `http` are both set, libcurl decides
/// about the letters, and a URL with such a `?` is refused.
public final class CurlTransport: Transport {
    public typealias Input = HTTP.Request

    private let configuration: Configuration
    let loops: LoopGroup

    /// Runs tasks on the threads that carry out the transport's transfers.
    ///
    /// A call of such a task changes threads only where its transfer or its task does. That wakes fewer threads; beside
    /// many other calls, whose threads are awake anyway, it saves nothing:
    ///
    /// ```swift
    /// let order = try await withTaskExecutorPreference(transport.taskExecutor) {
    ///     try await api.send(.get("/orders/7")).decode(Order.self)
    /// }
    /// ```
    ///
    /// `HTTP.Client.preferring(_:)` runs the calls of a client there. Code of an actor stays with the actor. A
    /// piece of a task that computes for long holds up what shares its thread for about 20 ms: then another thread
    /// takes its place, for up to 16 such pieces a thread, and all tasks go on. Compute for long elsewhere all the same,
    /// such as in a task with `globalConcurrentExecutor` as its preference. After ``close()``, the tasks run on Swift's
    /// pool.
    public var taskExecutor: any TaskExecutor { loops }

    /// Whether the process has a libcurl that can be used; ``checkAvailability()`` gives the reason if not.
    ///
    /// The first access opens libcurl.
    public static var isAvailable: Bool { (try? checkAvailability()) != nil }

    /// Returns if the process has a libcurl that can be used, as a check at a server's start.
    /// - Throws: A `TransportError` with `.unsupported` that says what to install.
    public static func checkAvailability() throws(TransportError) { _ = try Library() }

    /// Creates a transport.
    /// - Parameters:
    ///   - settings: The settings.
    ///   - onLongJob: Called when a piece of a task on the ``taskExecutor`` has held a thread of the transport so long
    ///     that another one took its place, which is 10 to 20 ms on a machine that is not busy. Its parameter is the
    ///     time from then to the end of the piece. Defaults to `nil`.
    /// - Throws: A `TransportError` with `.unsupported` that says what to install, or a `SettingError`.
    public init(
        settings: Settings = Settings(),
        onLongJob: (@Sendable (Duration) -> Void)? = nil
    ) throws {
        configuration = try Configuration(settings)
        loops = LoopGroup(configuration, reporting: onLongJob)
    }

    // Bodies that are still being read continue: their readers hold nothing of the transport.
    deinit { loops.retire() }

    /// Ends all transfers with `TransportError.Code.closed` and refuses new ones. Can be called more than once.
    public func close() { loops.close() }

    public var keepsDeadline: Bool { true }

    public func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try Task.checkCancellation()
        let (request, isDecoded) = try asSent(request)
        let operation: RequestOperation
        if let known = try operationAtOnce(for: request, call) {
            operation = known
        } else {
            operation = try await self.operation(for: request, call)
        }
        operation.startPump(of: request.body, on: call.runtime)
        let head = try await operation.head(
            before: call.deadline,
            on: call.runtime,
            timer: "CurlTransport deadline"
        )
        return HTTP.Response(head, from: operation, for: request, isDecoded: isDecoded)
    }

    // Functions of their own, because an asynchronous one takes room for all that it may do.

    /// Returns the request with the fields that the transport adds, and whether it decodes the response's body.
    @inline(never)
    private func asSent(_ request: HTTP.Request) throws -> (HTTP.Request, isDecoded: Bool) {
        try request.validate()
        let isDecoded = configuration.asksForCodings(request)
        return (isDecoded ? request.askingForCodings() : request, isDecoded)
    }

    /// Returns the transfer of a request with a body in memory; `nil` for another body.
    @inline(never)
    private func operationAtOnce(
        for request: HTTP.Request,
        _ call: Call
    ) throws -> RequestOperation? {
        let host = try usableHost(of: request, call)
        let outgoing = try OutgoingRequest(
            inMemory: request,
            to: call.connectAddress,
            configuration: configuration,
            reportsProgress: call.onBodySent != nil
        )
        return try outgoing.map { try operation($0, host: host, call: call) }
    }

    private func operation(
        for request: HTTP.Request,
        _ call: Call
    ) async throws -> RequestOperation {
        let host = try host(of: request, call)
        return try operation(await outgoing(request, host: host, call), host: host, call: call)
    }

    /// Returns the host for messages, if something can be sent now, and reports that sending begins.
    private func usableHost(of request: HTTP.Request, _ call: Call) throws -> String {
        let host = try host(of: request, call)
        if let deadline = call.deadline, deadline <= call.runtime.now {
            throw TransportError.deadlinePassedBeforeSending(host: host)
        }
        guard !loops.isClosed else { throw TransportError.closedBeforeSending(host: host) }
        if !request.body.isEmpty { call.onBodySent?(0) }
        return host
    }

    private func outgoing(
        _ request: HTTP.Request,
        host: String,
        _ call: Call
    ) async throws -> OutgoingRequest {
        // A file or a stream is read before the request is sent, which may take any time.
        try await call.keepingDeadline(
            late: TransportError.deadlinePassedBeforeSending(host: host)
        ) { [configuration] call in
            try await OutgoingRequest(
                request,
                to: call.connectAddress,
                configuration: configuration
            )
        }
    }

    /// Returns the host for messages, with the address that replaces it; throws if the address cannot be used.
    private func host(of request: HTTP.Request, _ call: Call) throws -> String {
        let host = request.url.authority ?? ""
        guard let address = call.connectAddress else { return host }
        try address.validate()
        guard configuration.settings.unixSocketPath == nil else {
            throw TransportError(
                .unsupported,
                "This transport connects to a Unix socket, not to \(address); nothing was sent to "
                    + "\(host). Remove the call's connectAddress, or the setting unixSocketPath.",
                isUnsent: true
            )
        }
        return "\(host) at \(address)"
    }

    private func operation(
        _ outgoing: OutgoingRequest,
        host: String,
        call: Call
    ) throws(TransportError) -> RequestOperation {
        let loop = loops.reserve(
            sharesConnection: outgoing.mayShareConnection(configuration),
            uploads: outgoing.uploads
        )
        var isCounted = false
        do throws(CurlError) {
            guard let easy = loop.takeEasy() else {
                throw CurlError(code: 27, text: "No handle could be made.")
            }
            let io = try outgoing.io(easy, configuration)
            io.onInformational = call.onInformational
            io.onBodySent = call.onBodySent
            io.readsToStreamEnd =
                !loop.isMultiplexed && outgoing.uploads
                && configuration.library.stopsReadingBeforeStreamEnd
            if call.isObserved { io.onTimings = { call.report($0) } }
            let operation = RequestOperation(io, host: host, loop: loop)
            isCounted = true
            // Safety: libcurl calls back only while the loop holds the transfer, between the adding and the removal of
            // the handle.
            unsafe easy.setContext(operation.context)
            io.announcesReady = easy.announcesReady
            if !io.announcesReady {
                // This libcurl resends, and only on kept connections; nothing else prevents that.
                try easy.set(IKCURL_OPT_FRESH_CONNECT, 1)
                try easy.set(IKCURL_OPT_FORBID_REUSE, 1)
            }
            try configuration.applyOptions(to: easy)
            return operation
        } catch {
            if !isCounted { loop.release() }
            throw TransportError(
                .other,
                "libcurl rejected the request for \(host), so nothing was sent: \(error.text).",
                isUnsent: true,
                cause: error
            )
        }
    }
}
