import InterceptorKit
import InterceptorKitTesting
import Synchronization

let orders: HTTP.URL = "https://api.example.com/orders"

/// Notes what happened, in order, from any task.
final class Recorder<Entry: Sendable>: Sendable {
    private let notes = Mutex<[Entry]>([])

    var entries: [Entry] { notes.withLock { $0 } }

    func note(_ entry: Entry) { notes.withLock { $0.append(entry) } }
}

extension Simulation {
    /// A client over a script, in this simulation's time, without a time limit unless one is given.
    func client(
        _ transport: ScriptedTransport<HTTP.Request>,
        timeout: Duration? = nil,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<HTTP.Request> _ interceptors: () -> [any Interceptor<HTTP.Request>]
    ) throws -> HTTP.Client {
        try HTTP.Client(
            transport: transport,
            timeout: timeout,
            runtime: runtime,
            events: events,
            interceptors
        )
    }
}

extension RetryLimiter {
    func allows(
        _ authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification? = nil
    ) -> Bool {
        allowsResend(to: authority, at: instant, after: failure)
    }
}

extension Runtime.Instant {
    static let origin = Runtime.Instant(offset: .zero)

    static func seconds(_ count: Int) -> Runtime.Instant { .init(offset: .seconds(count)) }
}
