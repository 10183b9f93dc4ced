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
/// let api = try HTTP.Client(transport: transport, events: recorder) {
///     RetryInterceptor(policy: .standard)
///     recorder  // below the retry, so that each attempt is an entry
/// }
/// _ = try await api.send(.get("https://api.example.com/orders/7"))
/// try recorder.write(to: "session.har")
/// ```
///
/// It changes and delays nothing: an entry is added once the response's body was read to its end or released. Above the
/// limit, the oldest entries are removed. If it is also the client's event sink, as here, an entry has the call's
/// events during the exchange, of the first 100 of the call.
///
/// **Bodies are left out** unless you set a limit for them, because secrets in them are found only by their names. With
/// a limit, an entry has the part of the response's body that was read.
public final class HARRecorder: Interceptor, EventSink {
    /// The default number of recorded exchanges: 1,000.
    public static let defaultLimit = 1000

    private struct State {
        var entries: [(began: Runtime.Instant, entry: HAR.Entry)] = []
        // The events of the newest calls, and these calls, oldest first.
        var events: [Call.ID: [Event]] = [:]
        var calls: [Call.ID] = []
    }

    private static let eventLimit = 100

    private let limit: Int
    private let bodyLimit: Int
    private let builder: HAR.Builder
    private let state = Lock(State())

    /// Creates an empty recorder.
    /// - Parameters:
    ///   - limit: The largest number of exchanges; at least one. Defaults to ``defaultLimit``.
    ///   - bodyLimit: The largest recorded body in bytes, with secrets hidden by their names. Defaults to 0, which
    ///     records no bodies.
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

    /// The recorded exchanges, in the order in which they began.
    public var archive: HAR {
        let entries = state.withLock(\.entries)
        return HAR(entries: entries.sorted { $0.began < $1.began }.map(\.entry))
    }

    /// Writes the recorded exchanges to a file, replacing an existing one.
    /// - Parameter path: The file's path, by convention ending in `.har`.
    /// - Throws: `EncodingError`, or an error of the file system.
    public func write(to path: String) throws {
        try archive.json().write(to: URL(filePath: path), options: .atomic)
    }

    /// Removes the recorded exchanges.
    public func removeAll() { state.withLock { $0 = State() } }

    /// Keeps an event for the entries of its call.
    public func record(_ event: Event) {
        state.withLock { state in
            if state.events[event.call] == nil {
                state.calls.append(event.call)
                if state.calls.count > limit { state.events[state.calls.removeFirst()] = nil }
            }
            guard state.events[event.call, default: []].count < Self.eventLimit else { return }
            state.events[event.call, default: []].append(event)
        }
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let observer = ExchangeObserver(bodyLimit: bodyLimit) { [self] exchange in
            guard case .failure(let error) = exchange.outcome else { return }
            add(exchange, .failure(shown(error)), endedAt: exchange.responded)
        } onEnd: { [self] exchange, body, end in
            guard case .response(let response) = exchange.outcome else { return }
            let failure = body.failure.map(shown)
            let outcome = HAR.Builder.Outcome.response(
                response,
                captured(body),
                brokenOff: failure,
                trailers: response.trailers
            )
            add(exchange, outcome, endedAt: end)
        }
        return try await observer.pass(chain)
    }

    private func add(
        _ exchange: ObservedExchange,
        _ outcome: HAR.Builder.Outcome,
        endedAt end: Runtime.Instant
    ) {
        let events = state.withLock { $0.events[exchange.call.id] ?? [] }
            .filter { $0.instant >= exchange.began }
        let entry = builder.entry(
            exchange.request,
            body: sent(exchange.request.body),
            outcome: outcome,
            startedAt: exchange.date,
            timings: HAR.Timings(
                wait: exchange.began.duration(to: exchange.responded),
                receive: exchange.responded.duration(to: end)
            ),
            hiding: exchange.call.credentialFields,
            events: (events, since: exchange.began)
        )
        keep(entry, began: exchange.began)
    }

    private func keep(_ entry: HAR.Entry, began: Runtime.Instant) {
        state.withLock { state in
            if state.entries.count >= limit {
                state.entries.removeFirst(state.entries.count - limit + 1)
            }
            state.entries.append((began, entry))
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
