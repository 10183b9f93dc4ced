public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps what happened to the newest calls, and shows it as a page that stands alone.
///
/// ```swift
/// let timeline = Timeline()
/// let api = try HTTP.Client(transport: transport, events: timeline) {
///     RetryInterceptor(policy: .standard)
/// }
/// _ = try await api.send(.get("https://api.example.com/orders/7"))
/// try timeline.write(to: "calls.html")
/// ```
///
/// The page shows each call as a waterfall of its interceptors, attempts, waits, sends and bodies,
/// with the decisions made on the way. It is one file that fetches nothing, and shows no more of
/// requests, responses and errors than the call's `Call.redaction` lets through.
///
/// Memory is bounded: the newest calls are kept, of each its first 500 activities and decisions, of
/// each text its first 2,000 bytes, and 4 MB of text in all. What was dropped is counted, and the page
/// says so.
public final class Timeline: EventSink {
    private struct State {
        var calls: [Call.ID: TimelineCall] = [:]
        var order: [Call.ID] = []
        var dropped = 0
        var size = 0
        var until = Runtime.Instant(offset: .zero)
    }

    private static let sizeLimit = 4_000_000

    private let limit: Int
    private let runtime: Runtime
    private let state = Lock(State())

    /// Creates a timeline.
    /// - Parameters:
    ///   - limit: How many calls to keep. Defaults to 1,000.
    ///   - runtime: Reads the wall clock, so that the page can say when a call began. Defaults to the
    ///     live runtime.
    public init(
        keeping limit: Int = 1000,
        runtime: Runtime = .live
    ) {
        self.limit = max(1, limit)
        self.runtime = runtime
    }

    /// How many calls were dropped to make room for newer ones.
    public var dropped: Int { state.withLock(\.dropped) }

    public func record(_ event: Event) {
        state.withLock { state in
            state.until = max(state.until, event.instant)
            if state.calls[event.call] == nil {
                // What is within an activity belongs to a call that was dropped.
                if event.phase != .began || event.activity?.parent != nil { return }
                state.calls[event.call] = TimelineCall(event, date: runtime.date)
                state.order.append(event.call)
            }
            state.size += state.calls[event.call]?.note(event) ?? 0
            while state.order.count > limit
                || (state.size > Self.sizeLimit && state.order.count > 1)
            {
                let oldest = state.calls.removeValue(forKey: state.order.removeFirst())
                state.size -= oldest?.size ?? 0
                state.dropped += 1
            }
        }
    }

    /// Forgets all calls.
    public func removeAll() { state.withLock { $0 = State() } }

    /// The page.
    /// - Parameter title: Its title. Defaults to `Calls`.
    public func html(title: String = "Calls") -> String {
        let state = state.withLock { $0 }
        let calls = state.order.compactMap { state.calls[$0] }
        let data = TimelineData.json(calls, dropped: state.dropped, until: state.until)
        return TimelinePage(title: title, data: data).html
    }

    /// Writes the page to a file, in place of one that is there.
    /// - Parameters:
    ///   - path: Where to.
    ///   - title: The page's title. Defaults to `Calls`.
    /// - Throws: What the file system says.
    public func write(to path: String, title: String = "Calls") throws {
        try Data(html(title: title).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
