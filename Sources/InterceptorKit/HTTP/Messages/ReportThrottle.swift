import InterceptorKitConcurrency
import Synchronization

/// Lets counts of bytes through at a pace that people can follow and that costs nothing beside the
/// bytes themselves.
final class ReportThrottle: Sendable {
    private struct State {
        var bytes = 0
        var reported = -1
        var last: Runtime.Instant?
    }

    // Twenty a second, faster than which no display changes legibly.
    private static let interval = Duration.milliseconds(50)

    let total: Int?
    private let state = Lock(State())

    init(total: Int?) { self.total = total }

    /// How many bytes there were.
    var bytes: Int { state.withLock(\.bytes) }

    /// The facts to report; `nil` while it is too early. A first, a last and a smaller count are
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

    /// The same for so many bytes more.
    func report(adding count: Int, at now: Runtime.Instant) -> Event.Attributes? {
        report(bytes + count, at: now)
    }

    func attributes(_ bytes: Int) -> Event.Attributes {
        var attributes: Event.Attributes = ["bytes": .number(bytes)]
        attributes.total = total
        return attributes
    }
}
