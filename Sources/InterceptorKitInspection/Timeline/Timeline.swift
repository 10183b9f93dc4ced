public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An event sink that keeps the newest calls and shows them as a self-contained page.
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
/// The page shows each call as a waterfall of its interceptors, attempts, waits, sends and bodies, with the decisions
/// between them. It is one file that loads nothing, and shows requests, responses and errors only as far as
/// `Call.redaction` allows.
///
/// Memory is limited to the newest calls, the first 500 activities and decisions of each, the first 2,000 bytes of each
/// text, and 4 MB of text in all. Dropped parts are counted, and the page says so.
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
    ///   - limit: The largest number of calls. Defaults to 1,000.
    /// - runtime: The runtime for the wall clock, by which the page shows when a call began. Defaults to the live
    ///   runtime.
    public init(
        keeping limit: Int = 1000,
        runtime: Runtime = .live
    ) {
        self.limit = max(1, limit)
        self.runtime = runtime
    }

    /// The number of calls dropped to make room for newer ones.
    public var dropped: Int { state.withLock(\.dropped) }

    public func record(_ event: Event) {
        state.withLock { state in
            state.until = max(state.until, event.instant)
            if state.calls[event.call] == nil {
                // An event within an activity belongs to a dropped call.
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

    /// Removes all calls.
    public func removeAll() { state.withLock { $0 = State() } }

    /// Returns the page as HTML.
    /// - Parameter title: The page's title. Defaults to `Calls`.
    public func html(title: String = "Calls") -> String {
        let state = state.withLock { $0 }
        let calls = state.order.compactMap { state.calls[$0] }
        let data = TimelineData.json(calls, dropped: state.dropped, until: state.until)
        return TimelinePage(title: title, data: data).html
    }

    /// Writes the page to a file, replacing an existing one.
    /// - Parameters:
    ///   - path: The file's path.
    ///   - title: The page's title. Defaults to `Calls`.
    /// - Throws: An error of the file system.
    public func write(to path: String, title: String = "Calls") throws {
        try Data(html(title: title).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
