import Foundation
public import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends HTTP requests with Foundation's `URLSession`.
///
/// > Warning: On Linux three kinds of answer end the process, whatever this type does: **response
/// > trailers** and **a connection that closes within the head** ("Transfer completed, but there's no
/// > response"), and a **redirect to a target like `//[::1]:1/`** ("Invalid URL", although no redirect
/// > is followed). All were seen with Swift 6.3.1.
/// > A server that meets strangers' servers needs another engine, which is one line:
/// > `HTTP.Client(transport: CurlTransport())` instead of `URLSessionTransport()`.
///
/// **What it does.** The response comes when its head is there; its body arrives as it is read, and a
/// body dropped unread or cancelled ends the transfer. Redirects, cookies, caching and credentials are
/// not URLSession's here but interceptors': a 3xx or 401 is delivered as it came. Interim answers below
/// 200 are passed over. Cancelling the caller's task ends the send at once with `CancellationError`.
/// A call's deadline is kept to the millisecond until the head is there; silence on the connection is
/// bounded by ``Settings/idleTimeout``.
///
/// **What the wire carries** is the request as the last interceptor left it, with dot segments in the
/// path resolved, fields of one name joined into one line, in no particular order, and:
/// - `Accept: */*`, `Accept-Language: *` and `User-Agent: InterceptorKit` where the request has none,
///   and `Content-Type: application/octet-stream` on a `POST` body without one, because Foundation
///   would put the machine's language, the process's name and a form's type there. These are in the
///   response's `request` too.
/// - `Host`, `Connection`, `Content-Length` and `Accept-Encoding` from the engine. It decodes `gzip`,
///   `deflate`, `br` and on Linux `zstd` whatever the request accepts; `Content-Encoding` and
///   `Content-Length` are then removed from the response, since they are no longer true of its body.
///
/// **What remains of the platform**, on Linux: names of response fields may come in another
/// capitalisation and their order is lost; a compressed body that was cut off looks complete; bodies of
/// streams and of parts of files are held in memory, and so is what a slow reader has not read, both
/// bounded by ``Settings``; a field line of more than 100 KB, or one not in UTF-8, fails the response;
/// IPv6 addresses in URLs fail up to Swift 6.3; TLS trusts the system's certificates only; all sessions
/// of a process share one queue, about 4,000 requests a second. `http_proxy` in the environment is
/// honoured.
public final class URLSessionTransport: Transport {
    public typealias Input = HTTP.Request

    private let settings: Settings
    let registry: TaskRegistry

    /// Creates a transport with the default settings.
    public convenience init() { self.init(checked: Settings()) }

    /// Creates a transport.
    /// - Throws: A ``SettingsError`` that names the setting.
    public convenience init(settings: Settings) throws(SettingsError) {
        try settings.validate()
        self.init(checked: settings)
    }

    private init(checked settings: Settings) {
        self.settings = settings
        registry = TaskRegistry()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        registry.open(
            URLSession(
                configuration: settings.configuration,
                delegate: SessionDelegate(registry),
                delegateQueue: queue
            )
        )
    }

    // Bodies still being read may be: whoever reads them holds nothing of the transport.
    deinit { registry.close(cancelling: false) }

    /// Ends what is under way with `TransportError.Code.closed` and refuses what comes. May be called
    /// more than once.
    public func close() { registry.close(cancelling: true) }

    public func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try Task.checkCancellation()
        let request = request.completedForURLSession()
        try request.checkForURLSession()
        let host = request.url.origin?.authority ?? ""
        if let deadline = call.deadline, deadline <= call.runtime.now {
            throw TransportError.deadlinePassedBeforeSending(host: host)
        }
        let outgoing = try await OutgoingRequest(
            request,
            host: host,
            settings: settings,
            call: call
        )
        let exchange = Exchange(
            outgoing,
            bufferLimit: settings.maximumBufferedBytes,
            registry: registry
        )
        guard registry.begin(exchange) else { throw TransportError.closedBeforeSending(host: host) }
        let head = try await exchange.head(before: call.deadline, on: call.runtime)
        return HTTP.Response(head, from: exchange, for: request)
    }
}

extension URLSessionTransport.Settings {
    fileprivate var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // With a cache, cancelling a request ends the process on Linux; with a cookie store, a
        // request's own Cookie field is overwritten; policy belongs to interceptors anyway.
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost
        configuration.timeoutIntervalForRequest = TimeInterval(idleSeconds)
        return configuration
    }
}

extension Exchange {
    fileprivate func head(
        before deadline: Runtime.Instant?,
        on runtime: Runtime
    ) async throws -> ResponseHead {
        guard let deadline else { return try await head() }
        let timer = runtime.start("URLSessionTransport deadline") {
            guard (try? await runtime.sleep(until: deadline)) != nil else { return }
            self.handle(.deadlinePassed)
        }
        let result: Result<ResponseHead, any Error>
        do {
            result = .success(try await head())
        } catch {
            result = .failure(error)
        }
        timer.cancel()
        await timer.value
        return try result.get()
    }
}

extension HTTP.Response {
    fileprivate init(_ head: ResponseHead, from exchange: Exchange, for request: HTTP.Request) {
        let isBodiless = head.isBodiless(method: request.method)
        let headers = isBodiless ? head.headers : head.headers.describingDecodedBody()
        let length = headers["Content-Length"].flatMap { Int($0) }
        self.init(
            head.status,
            headers: headers,
            body: isBodiless ? .empty : .oneShot(length: length, ResponseBodyStream(exchange)),
            request: request
        )
    }
}
