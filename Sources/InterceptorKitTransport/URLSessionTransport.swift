import Foundation
public import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends HTTP requests with Foundation's `URLSession`.
///
/// > Warning: On Linux four kinds of answer end the process, whatever this type does: **response
/// > trailers** and **a connection that closes within the head** ("Transfer completed, but there's no
/// > response"), a **redirect to a target like `//[::1]:1/`** ("Invalid URL", although no redirect
/// > is followed), and a **`Content-Length` of 9223372036854775807** (a number that Foundation cannot
/// > convert). All were seen with Swift 6.3.1.
/// > A server that meets strangers' servers needs another engine, which is one line:
/// > `HTTP.Client(transport: CurlTransport())` of InterceptorKitCurl instead of `URLSessionTransport()`.
///
/// **What it does.** The response comes when its head is there; its body arrives as it is read, and a
/// body dropped unread or cancelled ends the transfer. Redirects, cookies, caching and credentials are
/// not URLSession's here but interceptors': a 3xx or 401 is delivered as it came. Interim answers below
/// 200 are passed over, or told to the call's `onInformational`. Cancelling the caller's task ends the
/// send at once with `CancellationError`. A call's deadline is kept to the millisecond until the head is
/// there, also while the request waits for a connection; silence on the connection is bounded by
/// ``Settings/idleTimeout``.
///
/// **Memory is bounded both ways.** What a slow reader leaves waiting of a response, beyond
/// ``Settings/bytesInMemory``, goes to a temporary file, so that it holds up no other exchange; a reader
/// who keeps up never has one made. A request's body that is a stream or part of a file is **read to its
/// end before anything is sent**, in memory or in a temporary file, and then sent with its true length:
/// there is no sending while the stream is made. A whole file is read by the engine as it is sent. The
/// files are their owner's alone and leave nothing behind; where none can be made or the disk is full,
/// the error is `TransportError.Code.storage`.
///
/// **What the wire carries** is the request as the last interceptor left it, fields of one name joined
/// into one line, in no particular order (a URL with a dot segment, or with a `?` and nothing after it, is
/// refused, since the engine would remove them), and:
/// - `Accept: */*`, `Accept-Language: *` and `User-Agent: InterceptorKit` where the request has none,
///   and on a `POST` body without one the `Content-Type` that it was made as, or else
///   `application/octet-stream`, because Foundation would put the machine's language, the process's
///   name and a form's type there. These are in the response's `request` too.
/// - a scheme in lower case; a method that Foundation would put in capitals, as `post`, is refused.
/// - `Host`, `Connection`, `Content-Length` and `Accept-Encoding` from the engine. It decodes `gzip`,
///   `deflate`, `br` and on Linux `zstd` whatever the request accepts; `Content-Encoding` and
///   `Content-Length` are then removed from the response, since they are no longer true of its body.
///   A request that says `Accept-Encoding: identity` asks the host not to compress.
///
/// **What is sent once**, on Linux, though libcurl sends a request again by itself when a kept connection
/// breaks before a response: every request with a body, since that cannot be taken back, and every request
/// without one whose method is not safe (as `POST` and `DELETE`) or whose call says that it is not
/// idempotent (`Call.isIdempotent`), since it gets a connection of its own. That costs a new connection for
/// each of these, not counted in ``Settings/maximumConnectionsPerHost``: up to half the rate without TLS,
/// and some 20 ms more with it. The error is `TransportError.Code.connectionLost`, not known to be unsent. A
/// **`GET`, `HEAD` or other safe request without a body may arrive twice**; `CurlTransport` sends these once
/// too. Of a request with a body the host may see the head a second time, on a connection that closes.
///
/// **What remains of the platform**, on Linux: names of response fields may come in another
/// capitalisation and their order is lost; **a compressed body that the host itself cut off looks
/// complete**, since libcurl says nothing of it and hands out no undecoded bytes (one cut off by its
/// connection is an error); the body of a redirect whose `Location` is no URL is lost, and its reader is
/// told; a field line of more than 100 KB, or one not in UTF-8, fails the response; a zone in an IPv6 address
/// fails; bytes that a host sends on an idle kept connection can be taken for the next answer; TLS trusts the
/// system's certificates only; all sessions of a process share one queue, about 4,000 requests a second;
/// a response of hundreds of thousands of field lines keeps that queue for many seconds, in which calls end
/// at their deadlines and nothing arrives; a body that arrives slowly, in many small pieces, costs most of
/// a core, where curl's costs a hundredth. `http_proxy` in the environment is honoured.
public final class URLSessionTransport: Transport {
    public typealias Input = HTTP.Request

    private let settings: Settings
    let registry: TaskRegistry

    /// Creates a transport with the default settings.
    public convenience init() { self.init(checked: Settings()) }

    /// Creates a transport.
    /// - Throws: A `SettingError` that names the setting.
    public convenience init(settings: Settings) throws(SettingError) {
        try settings.validate()
        self.init(checked: settings)
    }

    private init(checked settings: Settings) {
        self.settings = settings
        registry = TaskRegistry()
        #if canImport(FoundationNetworking)
        let queue = InlineQueue()
        #else
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        #endif
        let delegate = SessionDelegate(registry, trust: settings.trust)
        registry.open {
            URLSession(
                configuration: settings.configuration,
                delegate: delegate,
                delegateQueue: queue
            )
        }
    }

    // Bodies still being read may be: their readers hold nothing of the transport.
    deinit { registry.close(cancelling: false) }

    /// Ends all transfers with `TransportError.Code.closed` and refuses new ones. May be called more than
    /// once.
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
            registry: registry,
            call: call
        )
        let operation = RequestOperation(
            outgoing,
            limits: settings.receiveBufferLimits,
            engine: registry
        )
        guard registry.begin(operation) else {
            throw TransportError.closedBeforeSending(host: host)
        }
        let head = try await operation.head(before: call.deadline, on: call.runtime)
        return HTTP.Response(head, from: operation, for: request)
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

extension HTTP.Response {
    fileprivate init(
        _ head: ResponseHead,
        from operation: RequestOperation,
        for request: HTTP.Request
    ) {
        let isBodiless = head.isBodiless(method: request.method)
        let headers = isBodiless ? head.headers : head.headers.describingDecodedBody()
        let length = headers["Content-Length"].flatMap { Int($0) }
        self.init(
            head.status,
            headers: headers,
            body: isBodiless ? .empty : .oneShot(length: length, ResponseBodyStream(operation)),
            request: request
        )
    }
}
