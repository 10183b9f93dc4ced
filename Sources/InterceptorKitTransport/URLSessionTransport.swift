public import InterceptorKit
import InterceptorKitEngine

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends HTTP requests with Foundation's `URLSession`.
///
/// > Warning: On Linux, four kinds of response end the process, whatever this type does: **response trailers** and **a
/// > connection that closes within the head** ("Transfer completed, but there's no response"), a **redirect to a target
/// > like `//[::1]:1/`** ("Invalid URL", although no redirect is followed), and
/// > a **`Content-Length` from 2^63 - 512 to 2^63 - 1** (which Foundation rounds to a number that it cannot convert).
/// > All were seen with Swift 6.3.1. A server that calls unknown servers needs another engine:
/// > `HTTP.Client(transport: CurlTransport())` of InterceptorKitCurl instead of `URLSessionTransport()`.
///
/// **Behaviour.** The transport returns the response when its head has arrived. The body arrives as it is read, and a
/// body dropped unread or cancelled ends the transfer. Interceptors, not URLSession, handle redirects, cookies, caching
/// and credentials: a 3xx or 401 is delivered unchanged. Interim responses below 200 go to the call's
/// `onInformational`, if it is set. Cancelling the caller's task ends the send at once with `CancellationError`. A
/// call's deadline is kept to the millisecond until the head has arrived, also while the request waits for a
/// connection; ``Settings/idleTimeout`` limits silence on the connection.
///
/// **Memory is bounded both ways.** Response data that waits for a slow reader, beyond ``Settings/bytesInMemory``, goes
/// to a temporary file, so it delays no other exchange; a fast reader needs no file. A request's body that is a stream
/// or part of a file is **read to its end before anything is sent**, into memory or a temporary file, and then sent
/// with its true length: it cannot be sent while the stream is still being produced. A whole file is read while it is
/// sent, on Linux on the queue that all sessions share. The temporary files belong only to their owner and leave
/// nothing behind; if none can be created or the disk is full, the error is `TransportError.Code.storage`.
///
/// **Fields and target.** The request is sent as the last interceptor left it, with repeated fields joined into one
/// line, in no particular order. A URL with a dot segment, or with a `?` and nothing after it, is refused, because the
/// engine would remove them. In addition:
/// - `Accept: */*`, `Accept-Language: *` and `User-Agent: InterceptorKit` if the request lacks them, and on a `POST`
///   body without a `Content-Type` the type that it was made with, or else `application/octet-stream`, because
///   Foundation would send the machine's language, the process's name and a form's type there. These are in the
///   response's `request` too.
/// - The scheme is sent in lower case; a method that Foundation would capitalise, such as `post`, is refused.
/// - `Host`, `Connection`, `Content-Length` and `Accept-Encoding` from the engine. It decodes `gzip`, `deflate`, `br`
///   and on Linux `zstd` whatever the request accepts; `Content-Encoding` and `Content-Length` are then removed from
///   the response, because they no longer describe its body. A request with `Accept-Encoding: identity` asks the host
///   not to compress.
///
/// **Not supported** is a call's `connectAddress`: such a call throws `TransportError.Code.unsupported`, and nothing is
/// sent. `CurlTransport` supports it.
///
/// **Sent once.** On Linux, libcurl resends a request when a kept connection breaks before a response. These requests
/// are sent once nevertheless: every request with a body, which the engine cannot read again; and every request without
/// one whose method is not safe (such as `POST` and `DELETE`) or whose call says that it is not idempotent
/// (`Call.isIdempotent`), because it gets its own connection. Each such connection is new and not counted in
/// ``Settings/maximumConnectionsPerHost``, which costs up to half the rate without TLS, and some 20 ms more with it.
/// The error is `TransportError.Code.connectionLost`, not known to be unsent. A **`GET`, `HEAD` or other safe request
/// without a body may arrive twice**; `CurlTransport` sends these once too. Of a request with a body, the host may see
/// the head a second time, on a connection that closes.
///
/// **Behind a proxy for `https`**, on Linux, Foundation reports the proxy's response to CONNECT as if it were the
/// host's. The head of a response is therefore held until a byte of the body or the end follows, and interim responses
/// are not reported. A tunnel that the proxy refuses is `TransportError.Code.proxyRefused` or
/// `TransportError.Code.cannotConnect`.
///
/// **Limitations of the platform**, on Linux:
/// - Names of response fields may be capitalised differently, and their order is lost.
/// - **A compressed body that the host itself cut off looks complete**, because libcurl does not report it and returns
///   no undecoded bytes (a body cut off by its connection is an error).
/// - The body of a redirect whose `Location` isn't a URL is lost, and reading it throws.
/// - A field line of more than 100 KB, or one not in UTF-8, fails the response; a zone in an IPv6 address fails.
/// - Bytes that a host sends on an idle kept connection can be taken for the next response.
/// - TLS trusts only the system's certificates. `http_proxy` in the environment is used.
/// - All sessions of a process share one queue: 2,400 to 3,400 small requests per second on the machine of
///   `Benchmarks`. A response of hundreds of thousands of field lines blocks that queue for many seconds, in which
///   calls end at their deadlines and nothing arrives. A body that arrives slowly, in many small pieces, costs most of
///   a core, a hundred times the cost of curl's.
public final class URLSessionTransport: Transport {
    public typealias Input = HTTP.Request

    private let settings: Settings
    private let base: BaseConfiguration
    let registry: TaskRegistry

    /// Creates a transport with the default settings.
    public convenience init() { self.init(checked: Settings(), .standard) }

    /// Creates a transport.
    /// - Throws: A `SettingError` that names the setting.
    public convenience init(settings: Settings) throws(SettingError) {
        try settings.validate()
        self.init(checked: settings, .standard)
    }

    /// Creates a transport whose sessions have a user's configuration, of which it takes a copy.
    ///
    /// ```swift
    /// let transport = try URLSessionTransport(configuration: configuration) { settings in
    ///     settings.bytesInMemory = 64 << 10
    /// }
    /// ```
    ///
    /// ``Settings/idleTimeout`` and ``Settings/maximumConnectionsPerHost`` start with the configuration's
    /// `timeoutIntervalForRequest` and `httpMaximumConnectionsPerHost`; the closure can change them.
    ///
    /// **Kept** is everything that isn't named below: proxies, `waitsForConnectivity` (within the call's deadline),
    /// cellular and constrained networks, the versions of TLS, `protocolClasses`, and `timeoutIntervalForResource`,
    /// which limits the whole response. A field of `httpAdditionalHeaders` is sent to every origin with each request
    /// that lacks it; interceptors don't see it, and no signature covers it.
    ///
    /// **Set by the transport**, because interceptors do it: `urlCache`, `httpCookieStorage` and
    /// `urlCredentialStorage` are `nil`, and `httpShouldSetCookies` is `false`. Redirects are never followed.
    ///
    /// **Refused** are an `identifier` (a background session, which has no data tasks), the `requestCachePolicy`
    /// `returnCacheDataDontLoad`, additional headers that aren't text or can't be sent, timeouts that aren't positive,
    /// and on Linux, where URLSession ignores it, a `connectionProxyDictionary` that isn't empty. Without effect on
    /// Linux are `allowsCellularAccess`, `networkServiceType`, `isDiscretionary` and `httpShouldUsePipelining`.
    /// - Parameters:
    ///   - configuration: The configuration. Later changes to it have no effect.
    ///   - configure: Changes the settings. Defaults to none.
    /// - Throws: A `SettingError` that names the setting, or the property of the configuration.
    public convenience init(
        configuration: URLSessionConfiguration,
        _ configure: (_ settings: inout Settings) -> Void = { _ in }
    ) throws(SettingError) {
        let base = try BaseConfiguration(copying: configuration)
        var settings = base.settings
        configure(&settings)
        try settings.validate()
        self.init(checked: settings, base)
    }

    private init(checked settings: Settings, _ base: BaseConfiguration) {
        self.settings = settings
        self.base = base
        registry = TaskRegistry(connectionsPerHost: settings.maximumConnectionsPerHost)
        #if canImport(FoundationNetworking)
        let queue = InlineQueue()
        #else
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        #endif
        let delegate = SessionDelegate(registry, trust: settings.trust)
        let configuration = base.configuration(with: settings)
        registry.open {
            URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        }
    }

    // Bodies that are still being read continue: their readers hold nothing of the transport.
    deinit { registry.close(cancelling: false) }

    /// Ends all transfers with `TransportError.Code.closed` and refuses new ones. Can be called more than once.
    public func close() { registry.close(cancelling: true) }

    public var keepsDeadline: Bool { true }

    public func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try Task.checkCancellation()
        let request = base.completed(request).completedForURLSession()
        try request.checkForURLSession()
        let host = request.url.authority ?? ""
        try call.refuseConnectAddress(over: "URLSession", host: host)
        if let deadline = call.deadline, deadline <= call.runtime.now {
            throw TransportError.deadlinePassedBeforeSending(host: host)
        }
        // A file or a stream is read before the request is sent, which may take any time.
        let outgoing = try await call.keepingDeadline(
            if: request.body.inMemory == nil,
            late: TransportError.deadlinePassedBeforeSending(host: host)
        ) { [settings, registry] call in
            try await OutgoingRequest(
                request,
                host: host,
                settings: settings,
                registry: registry,
                call: call
            )
        }
        let operation = RequestOperation(
            outgoing,
            limits: settings.receiveBufferLimits,
            engine: registry
        )
        operation.end(within: base.resourceTimeout, on: call.runtime)
        let head = try await operation.head(
            before: call.deadline,
            on: call.runtime,
            timer: "URLSessionTransport deadline"
        )
        guard head.hasUsableLength(method: request.method.rawValue) else {
            throw operation.fail(.lengthUnusable)
        }
        return HTTP.Response(head, from: operation, for: request)
    }
}

extension HTTP.Response {
    fileprivate init(
        _ head: ResponseHead,
        from operation: RequestOperation,
        for request: HTTP.Request
    ) {
        let isBodiless = head.status == 205 || head.isBodiless(method: request.method)
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
