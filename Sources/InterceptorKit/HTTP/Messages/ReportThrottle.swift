import InterceptorKitConcurrency
import Synchronization

/// A filter that reports counts of bytes at a pace that people can follow, and at little cost.
final class ReportThrottle: Sendable {
    private struct State {
        var bytes = 0
        var reported = -1
        var last: Runtime.Instant?
    }

    // Twenty reports a second; a faster display is illegible.
    private static let interval = Duration.milliseconds(50)

    let total: Int?
    private let state = Lock(State())

    init(total: Int?) { self.total = total }

    /// The last count, reported or not.
    var bytes: Int { state.withLock(\.bytes) }

    /// Returns the attributes to report; `nil` while it is too early. The first, the last and any smaller count are
    /// always reported.
    func report(_ bytes: Int, at now: Runtime.Instant) -> Event.Attributes? {
        let isDue = state.withLock { state in
            state.bytes = bytes
            let isLate = state.last.map { $0.advanced(by: Self.interval) <= now } ?? true
            guard isLate || bytes == total || bytes < state.reported else { return false }
            state.last = now
            state.reported = bytes
            return true
        }
        return isDue ? attributes(bytes) : nil
    }

    /// Reports a count that is larger by `count`.
    func report(adding count: Int, at now: Runtime.Instant) -> Event.Attributes? {
        report(bytes + count, at: now)
    }

    func attributes(_ bytes: Int) -> Event.Attributes {
        var attributes: Event.Attributes = ["bytes": .number(bytes)]
        attributes.total = total
        return attributes
    }
}
