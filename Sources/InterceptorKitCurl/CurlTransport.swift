import CInterceptorKitCurl
public import InterceptorKit

/// Sends HTTP requests with the system's libcurl, found when the transport is made.
///
/// **What it does.** The response comes when its head is there; its body arrives as it is read, and a
/// reader that is slower than the server makes it wait. A body dropped unread or cancelled ends the
/// transfer. A request's body is sent from memory, from a file or part of one, or as a stream makes it,
/// with `Content-Length` where the length is known. Interim responses go to `Call.onInformational`, the
/// progress of a request's body to `Call.onBodySent`, trailers to `HTTP.Body.trailers`. Cancelling the
/// caller's task ends the send at once with `CancellationError`. A call's deadline is kept until the head
/// is there; silence afterwards is bounded by ``Settings/idleTimeout``. Redirects, cookies, caching and
/// credentials are not libcurl's here but interceptors'.
///
/// One thread carries all transfers of a transport. It starts with the first and ends when the transport
/// is closed, or gone and nothing is under way. Connections are kept and used again; over TLS, HTTP/2 is
/// spoken where the server speaks it, and many requests share a connection.
///
/// **What the wire carries** is the request as the last interceptor left it: the same target, the same
/// fields in the same order and spelling, repeats on lines of their own. Added are `Host`, where the
/// request has none, what frames the body (`Content-Length` or `Transfer-Encoding`), and
/// `Accept-Encoding` where the request has none; that is in the response's `request` too. No
/// `User-Agent` and no `Accept` are sent unless the request has them.
///
/// **Codings.** A body in `gzip`, `deflate`, `br` or `zstd`, as far as the system has the libraries that
/// libcurl itself decodes with, is decoded as it is read, and `Content-Encoding` and `Content-Length` are
/// removed, since they are no longer true of it. One that is cut off or broken fails; one in another
/// coding is delivered as it came. So is every body whose request has an `Accept-Encoding` of its own, or
/// a `Range`, parts being parts of the encoded form.
///
/// **Sent once.** When a connection that was used before breaks before any answer, libcurl by itself sends
/// the request again, whatever its method; here it may not. The call fails with
/// `TransportError.Code.connectionLost`, `isUnsent` being `false`, and interceptors decide. A
/// connection that the server has closed, or sent something on, while it was idle is not used: what has
/// not left goes over a new one. An HTTP/2 stream that the server refused, which it has certainly not
/// executed (RFC 9113 section 8.7), fails in the same way, since libcurl does not tell the two apart; so
/// does a request that a server wants over HTTP/1.1 (`HTTP_1_1_REQUIRED`), for which there is
/// ``Settings/version``. libcurl before 7.80 does not ask before it sends again, so no connection is used
/// twice there; set its options 74 and 75 to 0 in ``Settings/options`` to have kept connections back, and
/// repetitions with them. `isUnsent` is said only of requests for which no connection was ever
/// ready.
public final class CurlTransport: Transport {
    public typealias Input = HTTP.Request

    private let configuration: Configuration
    let loop: EventLoop

    /// Creates a transport.
    /// - Parameter settings: What can be chosen.
    /// - Throws: A ``SetupError`` that says what to install or which setting cannot work.
    public init(settings: Settings = Settings()) throws(SetupError) {
        configuration = try Configuration(settings)
        loop = EventLoop(configuration)
    }

    // Bodies still being read may be: anyone who reads them holds nothing of the transport.
    deinit { loop.retire() }

    /// Ends what is under way with `TransportError.Code.closed` and refuses what comes. May be called
    /// more than once.
    public func close() { loop.close() }

    public func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try Task.checkCancellation()
        try request.validate()
        let isDecoded = configuration.asksForCodings(request)
        let request = isDecoded ? request.askingForCodings() : request
        let host = request.url.origin?.authority ?? ""
        if let deadline = call.deadline, deadline <= call.runtime.now {
            throw TransportError.deadlinePassedBeforeSending(host: host)
        }
        guard !loop.isClosed else { throw TransportError.closedBeforeSending(host: host) }
        if !request.body.isEmpty { call.onBodySent?(0) }
        let outgoing = try await OutgoingRequest(
            request,
            configuration: configuration,
            reportsProgress: call.onBodySent != nil
        )
        let operation = try operation(outgoing, host: host, call: call)
        operation.startPump(of: request.body, on: call.runtime)
        let head = try await operation.head(before: call.deadline, on: call.runtime)
        return HTTP.Response(head, from: operation, for: request, isDecoded: isDecoded)
    }

    private func operation(
        _ outgoing: OutgoingRequest,
        host: String,
        call: Call
    ) throws(TransportError) -> RequestOperation {
        do throws(CurlError) {
            guard let easy = loop.takeEasy() else {
                throw CurlError(code: 27, text: "No handle could be made.")
            }
            let io = try outgoing.io(easy, configuration)
            io.onInformational = call.onInformational
            io.onBodySent = call.onBodySent
            if call.isObserved { io.onTimings = { call.report($0, from: "CurlTransport") } }
            let operation = RequestOperation(io, host: host, loop: loop)
            // Safety: libcurl calls back only while the loop holds the transfer, between the
            // handle's adding and its removal.
            io.announcesReady = unsafe easy.setCallbacks(Callbacks(), context: operation.context)
            if !io.announcesReady {
                // Sends again on kept connections alone, and cannot be kept from it.
                try easy.set(IKCURL_OPT_FRESH_CONNECT, 1)
                try easy.set(IKCURL_OPT_FORBID_REUSE, 1)
            }
            try configuration.applyOptions(to: easy)
            return operation
        } catch {
            throw TransportError(
                .other,
                "libcurl does not take the request for \(host), so nothing was sent: \(error.text).",
                isUnsent: true,
                cause: error
            )
        }
    }
}

extension RequestOperation {
    fileprivate nonisolated(nonsending) func head(
        before deadline: Runtime.Instant?,
        on runtime: Runtime
    ) async throws -> ResponseHead {
        let timer = deadline.map { deadline in
            runtime.timer(at: deadline, "CurlTransport deadline") { self.handle(.deadlinePassed) }
        }
        defer { timer?.cancel() }
        return try await head()
    }
}
