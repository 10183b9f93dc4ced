public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Records exchanges as an HTTP archive for browsers' developer tools, without secrets.
///
/// ```swift
/// let recorder = HARRecorder()
/// let api = try HTTP.Client(transport: transport) {
///     RetryInterceptor(policy: .standard)
///     recorder  // below the retry, so that each attempt is an entry
/// }
/// _ = try await api.send(.get("https://api.example.com/orders/7"))
/// try recorder.write(to: "session.har")
/// ```
///
/// It changes and delays nothing: an entry is added when the response's body was read to its end or released.
/// When there are too many, the oldest entries are removed.
///
/// **Bodies are left out** unless you set a limit for them, because secrets in them are found only by their
/// names. With a limit, an entry has the part of the response's body that was read.
public final class HARRecorder: Interceptor {
    /// The default number of recorded exchanges: 1,000.
    public static let defaultLimit = 1000

    private let limit: Int
    private let bodyLimit: Int
    private let builder: HAR.Builder
    private let entries = Lock<[(began: Runtime.Instant, entry: HAR.Entry)]>([])

    /// Creates an empty recorder.
    /// - Parameters:
    ///   - limit: The largest number of exchanges; at least one. Defaults to ``defaultLimit``.
    ///   - bodyLimit: The largest recorded body in bytes, with secrets hidden by their names. Defaults to 0:
    ///     no body is recorded.
    ///   - redaction: The redaction. Defaults to `Redaction.standard`.
    public init(
        limit: Int = defaultLimit,
        bodyLimit: Int = 0,
        redaction: Redaction = .standard
    ) {
        self.limit = max(1, limit)
        self.bodyLimit = max(0, bodyLimit)
        builder = HAR.Builder(redaction: redaction)
    }

    /// The exchanges so far, in the order in which they began.
    public var archive: HAR {
        let entries = entries.withLock { $0 }
        return HAR(entries: entries.sorted { $0.began < $1.began }.map(\.entry))
    }

    /// Writes the exchanges so far to a file, and replaces an existing one.
    /// - Parameter path: The file, by convention ending in `.har`.
    /// - Throws: `EncodingError`, or an error of the file system.
    public func write(to path: String) throws {
        try archive.json().write(to: URL(filePath: path), options: .atomic)
    }

    /// Removes the exchanges so far.
    public func removeAll() { entries.withLock { $0 = [] } }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let call = chain.call
        let exchange = PendingExchange(request: chain.input, call: call, recorder: self)
        let response: HTTP.Response
        do {
            response = try await chain.proceed()
        } catch {
            exchange.add(.failure(shown(error)), answered: call.runtime.now)
            throw error
        }
        // A body that can be read again is not the server's.
        guard response.body.inMemory != nil || !response.body.isReplayable else { return response }
        let answered = call.runtime.now
        var recorded = response
        recorded.body = response.body.recorded(upTo: bodyLimit) { [self] record in
            let failure = record.failure.map(shown)
            exchange.add(
                .response(
                    response,
                    captured(record),
                    brokenOff: failure,
                    trailers: response.trailers
                ),
                answered: answered
            )
        }
        return recorded
    }

    /// A request on its way, and when it went.
    private struct PendingExchange: Sendable {
        let request: HTTP.Request
        let call: Call
        let recorder: HARRecorder
        let date: Date
        let began: Runtime.Instant

        init(request: HTTP.Request, call: Call, recorder: HARRecorder) {
            self.request = request
            self.call = call
            self.recorder = recorder
            date = call.runtime.date
            began = call.runtime.now
        }

        /// Archives its outcome, which ends now.
        func add(_ outcome: HAR.Builder.Outcome, answered: Runtime.Instant) {
            let entry = recorder.builder.entry(
                request,
                body: recorder.sent(request.body),
                outcome: outcome,
                startedAt: date,
                timings: HAR.Timings(
                    wait: began.duration(to: answered),
                    receive: answered.duration(to: call.runtime.now)
                ),
                hiding: call.credentialFields
            )
            recorder.keep(entry, began: began)
        }
    }

    private func keep(_ entry: HAR.Entry, began: Runtime.Instant) {
        entries.withLock { entries in
            if entries.count >= limit { entries.removeFirst(entries.count - limit + 1) }
            entries.append((began, entry))
        }
    }

    private func sent(_ body: HTTP.Body) -> HTTP.CapturedBody {
        guard let bytes = body.inMemory, bytes.count <= bodyLimit else {
            return .unread(body.description)
        }
        return .bytes(bytes)
    }

    private func captured(_ body: HTTP.BodyRecord) -> HTTP.CapturedBody {
        if let whole = body.whole { return .bytes(whole) }
        if body.failure != nil, body.beginning.count == body.count { return .bytes(body.beginning) }
        if bodyLimit == 0 { return .unread("no bodies are kept without a limit for them") }
        return body.count > bodyLimit
            ? .unread("it has more than the \(bodyLimit) bytes that are kept")
            : .unread("its reader left after \(body.count) bytes")
    }

    private func shown(_ error: any Error) -> TransportError {
        var shown = error as? TransportError ?? TransportError(.other, "\(error)")
        if error is CancellationError { shown.message = "The call was cancelled." }
        return shown
    }
}
