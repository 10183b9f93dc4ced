import InterceptorKit
import InterceptorKitTesting

/// Works off requests in order, also those that nobody waits for any more.
actor Service {
    static let brownOut: Range<Duration> = .seconds(5)..<(.seconds(13))
    private static let queue = 150

    private let began = ContinuousClock.now
    private var turns: [ContinuousClock.Instant] = []
    private(set) var sends = 0

    /// The reply, once the work is done.
    func reply() async -> LoopbackServer.Reply {
        sends += 1
        let now = ContinuousClock.now
        turns.removeAll { $0 <= now }
        guard turns.count < Self.queue else { return .status(503) }
        let isSlow = Self.brownOut.contains(now - began)
        let start = max(now, turns.last ?? now)
        let turn = start.advanced(by: isSlow ? .milliseconds(50) : .milliseconds(10))
        turns.append(turn)
        try? await ContinuousClock().sleep(until: turn.advanced(by: .milliseconds(40)))
        return .text("done")
    }
}
