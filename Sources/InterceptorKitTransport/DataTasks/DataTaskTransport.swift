public import Foundation
public import InterceptorKit
import InterceptorKitEngine

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests over a user's own `URLSession`, or over a function in its place.
///
/// It is for a client library whose users pass a session or a function. A response arrives whole instead of as a
/// stream, there are no interim responses and no upload progress, and the cookies, cache and credentials of a session,
/// and the redirects of a function, act outside the chain. If a `URLSessionConfiguration` is enough, use
/// ``URLSessionTransport/init(configuration:_:)``, which has none of these limits.
///
/// ```swift
/// let client = try HTTP.Client(transport: DataTaskTransport(session)) {
///     RetryInterceptor(policy: .standard)
/// }
/// ```
///
/// **Bodies.** A file, stream or multipart form is read into memory before anything is sent, up to the limit; a larger
/// body is an `HTTP.RequestError` with the code `bodyTooLarge`. A response's body is in memory, without a limit, and
/// can be read more than once. URLSession decodes `gzip`, `deflate` and `br` (on Linux also `zstd`), so
/// `Content-Encoding` and `Content-Length` are then removed. A function has to decode them too.
///
/// **Time.** The send ends at the call's deadline with a `TransportError` whose code is `timedOut`, and at once when
/// the caller is cancelled. The task of the session or function is then cancelled; a function that ignores cancellation
/// continues alone, and its result is dropped. The call's deadline covers the body too. The limits of a session's
/// configuration stay in force.
///
/// **Errors.** A `URLError` becomes a `TransportError` with the same code as that of ``URLSessionTransport``, and is
/// its `cause`; a function's other errors are thrown unchanged. A response that isn't an `HTTPURLResponse` is a
/// `TransportError` whose `cause` is `URLError(.badServerResponse)`. No `URLError` is `isUnsent`, because a session may
/// have sent the request over a kept connection before it reports that it found none, so a request that is not
/// idempotent is not sent again.
///
/// **Redirects.** A session's redirects are not followed and its delegate isn't asked: the 3xx is delivered. A function
/// that follows redirects takes the chain's credentials along (Foundation on Linux sends `Authorization` and `Cookie`
/// to any other origin). A response's `request` is the one that was sent first.
///
/// **Ownership.** The session remains its user's. It has to be valid for as long as the transport is used, and must not
/// be a background session. Its delegate is asked about certificates. The request has only the chain's fields, and for
/// a `POST` its body's `Content-Type`, so the session adds its own. `Call.connectAddress` is refused.
///
/// **On Linux**, ``URLSessionTransport`` lists what ends the process and what is sent twice. In addition, a request
/// without a body, whatever its method, may be sent twice when a kept connection breaks. The body of a redirect and, up
/// to Swift 6.3.1, of a 401 with a `Basic` challenge is lost, and reading it throws. A task of a session with a
/// `urlCache` is not cancelled, because that can end the process, and keeps its connection until the host answers or is
/// silent for too long (nothing is ever cached there, so set `urlCache` to `nil`). Cancelling a function that calls
/// `data(for:)` can stop all networking of the process, so pass the session instead.
public struct DataTaskTransport: Transport {
    public typealias Input = HTTP.Request

    // There is no data where the engine has lost it.
    private typealias Load = @Sendable (URLRequest) async throws -> (Data?, URLResponse)

    private let load: Load
    private let maximumRequestBodyBytes: Int
    // `nil` for a function.
    private let session: DataTaskQueue?

    /// Creates a transport over a session.
    /// - Parameters:
    ///   - session: The session, which remains its user's and is never invalidated.
    ///   - maximumRequestBodyBytes: The largest request body, in bytes, that is read into memory from a file or stream.
    ///     Defaults to 16 MiB.
    public init(
        _ session: URLSession,
        maximumRequestBodyBytes: Int = HTTP.Body.defaultLimit
    ) {
        let session = DataTaskQueue(session)
        load = { try await session.data(for: $0) }
        self.maximumRequestBodyBytes = maximumRequestBodyBytes
        self.session = session
    }

    /// Creates a transport over a function.
    /// - Parameters:
    ///   - maximumRequestBodyBytes: The largest request body, in bytes, that is read into memory from a file or stream.
    ///     Defaults to 16 MiB.
    ///   - load: Sends a request and returns the whole response, an `HTTPURLResponse`, as `URLSession.data(for:)` does.
    ///     It runs in a task of its own, and is expected to end when that task is cancelled.
    public init(
        maximumRequestBodyBytes: Int = HTTP.Body.defaultLimit,
        _ load: @escaping @Sendable (_ request: URLRequest) async throws -> (Data, URLResponse)
    ) {
        self.load = { try await load($0) }
        self.maximumRequestBodyBytes = maximumRequestBodyBytes
        session = nil
    }

    public func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try Task.checkCancellation()
        // Without a `Content-Type`, Foundation declares the body to be a form.
        let request = request.method == .post ? request.withContentType : request
        let host = request.url.authority ?? ""
        if let session {
            try request.checkForURLSession()
            try session.refuseBackground(host: host)
        }
        try call.refuseConnectAddress(over: "A data task", host: host)
        if let deadline = call.deadline, deadline <= call.runtime.now {
            throw TransportError.deadlinePassedBeforeSending(host: host)
        }
        let urlRequest = try await urlRequest(request, host: host, call: call)
        let (data, response) = try await load(urlRequest, host: host, call: call)
        guard let response = response as? HTTPURLResponse else {
            throw TransportError(
                .protocolViolation,
                "The response from \(host) is a \(type(of: response)) and not an HTTPURLResponse.",
                cause: URLError(.badServerResponse)
            )
        }
        let head = ResponseHead(response).converted()
        guard head.hasUsableLength(method: request.method.rawValue) else {
            throw TransportError.unusableLength(host: host)
        }
        let body = data.map { .bytes($0) } ?? HTTP.Body.lost(host: host)
        return HTTP.Response(head, for: request, body: body)
    }

    // Reading a stream may stall.
    private nonisolated(nonsending) func urlRequest(
        _ request: HTTP.Request,
        host: String,
        call: Call
    ) async throws -> URLRequest {
        if request.body.inMemory != nil { return try URLRequest(request) }
        return try await AbandonableWork().value("DataTaskTransport request body", of: call) {
            TransportError.deadlinePassedBeforeSending(host: host)
        } _: { [maximumRequestBodyBytes] in
            do {
                return try await URLRequest(request, collectingUpTo: maximumRequestBodyBytes)
            } catch is CancellationError {
                throw TransportError.bodyCancelled
            }
        }
    }

    private nonisolated(nonsending) func load(
        _ request: URLRequest,
        host: String,
        call: Call
    ) async throws -> (Data?, URLResponse) {
        var request = request
        var silence = request.timeoutInterval
        if let session {
            request.url = request.url?.forURLSession
            silence = session.timeoutInterval
        }
        return try await AbandonableWork().value("DataTaskTransport data task", of: call) {
            TransportError(.timedOut, "\(host) did not answer before the call's deadline.")
        } _: { [load, request, silence] in
            do {
                return try await load(request)
            } catch is CancellationError {
                throw TransportError(
                    .other,
                    "The function cancelled the request to \(host) by itself."
                )
            } catch {
                guard let error = URLError(from: error) else { throw error }
                throw TransportError(ofDataTask: error, host: host, silence: silence)
            }
        }
    }
}

extension HTTP.Response {
    fileprivate init(_ head: ResponseHead, for request: HTTP.Request, body: HTTP.Body) {
        let isBodiless = head.isBodiless(method: request.method)
        let headers = isBodiless ? head.headers : head.headers.describingDecodedBody()
        self.init(head.status, headers: headers, body: isBodiless ? .empty : body, request: request)
    }
}

extension HTTP.Body {
    fileprivate static func lost(host: String) -> HTTP.Body {
        .oneShot(
            AsyncThrowingStream<Data, any Error> {
                throw TransportError(
                    .other,
                    "URLSession on Linux does not deliver the body of this response from \(host): a redirect, "
                        + "or a 401 with a Basic challenge."
                )
            }
        )
    }
}

extension TransportError {
    /// - Parameter silence: The longest silence of the connection, in seconds, for the message.
    init(ofDataTask error: URLError, host: String, silence: TimeInterval) {
        self.init(
            error,
            host: host,
            idleSeconds: URLSessionTransport.Settings.idleSeconds(silence),
            mayHaveArrived: false
        )
        // The engine may have tried a kept connection before, and does not report it.
        isUnsent = false
    }
}

/// Classifies a `URLError` that code throws itself, such as a transport of your own.
extension URLError: ClassifiedError {
    /// The classification of the `TransportError` that ``URLSessionTransport`` makes of this error; permanent for
    /// `cancelled`. It never says that the request is known to be unsent.
    public var classification: Classification {
        if code == .cancelled { return .permanent("cancelled") }
        return TransportError(ofDataTask: self, host: "", silence: 0).classification
    }
}
