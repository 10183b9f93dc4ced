/// Lets counts of bytes through at a pace that people can follow and that costs nothing beside the
/// bytes themselves.
final class ReportingPace: Sendable {
    private struct State {
        var last: Runtime.Instant?
        var bytes = -1
    }

    // Twenty a second, faster than which no display changes legibly.
    private static let interval = Duration.milliseconds(50)

    let total: Int?
    private let state = Lock(State())

    init(total: Int?) { self.total = total }

    /// The facts to report; `nil` while it is too early. A first, a last and a smaller count are
    /// always reported.
    func report(_ bytes: Int, at now: Runtime.Instant) -> [String: Event.Value]? {
        let isDue = state.withLock { state in
            let isLate = state.last.map { $0.advanced(by: Self.interval) <= now } ?? true
            guard isLate || bytes == total || bytes < state.bytes else { return false }
            state.last = now
            state.bytes = bytes
            return true
        }
        return isDue ? attributes(bytes) : nil
    }

    func attributes(_ bytes: Int) -> [String: Event.Value] {
        var attributes: [String: Event.Value] = ["bytes": .number(bytes)]
        if let total { attributes["total"] = .number(total) }
        return attributes
    }
}
