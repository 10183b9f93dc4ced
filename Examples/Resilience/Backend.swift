import InterceptorKit

/// A service with a queue before it, which for a while works slower than it is asked.
///
/// It takes requests in order and cannot know that a caller has given up, so it works for those too. A
/// full queue answers 503 at once. Both are what makes an overload outlast its cause: once what comes
/// out is older than callers wait, all work is wasted.
struct Backend: Transport {
    /// How the service works and when it browns out.
    struct Settings: Sendable {
        /// Requests a second when all is well.
        var rate = 100.0
        /// Requests a second in the brown-out.
        var brownedOutRate = 20.0
        /// When it browns out.
        var brownOut: Range<Duration> = .seconds(20)..<(.seconds(40))
        /// How many requests may wait.
        var queue = 150
        /// What a response takes besides the wait.
        var latency: Duration = .milliseconds(40)
        /// One in this many answers takes 300 ms more, whatever the load.
        var oneSlowIn = 40
        /// One in this many requests fails at once, whatever the load.
        var oneFailsIn = 50
    }

    let settings: Settings
    private let queue = Queue()

    init(_ settings: Settings = Settings()) { self.settings = settings }

    nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        let runtime = call.runtime
        let fails = runtime.random() % UInt64(settings.oneFailsIn) == 0
        guard !fails, let turn = await queue.turn(at: runtime.now, settings) else {
            return HTTP.Response(503)
        }
        let isSlow = runtime.random() % UInt64(settings.oneSlowIn) == 0
        let extra =
            isSlow ? Duration.milliseconds(300) : settings.latency * runtime.randomFraction()
        try await runtime.sleep(until: turn.advanced(by: settings.latency + extra))
        return HTTP.Response(200)
    }
}

/// When the work for each request is done.
private actor Queue {
    private var turns: [Runtime.Instant] = []

    /// When the work for a request that comes now is done; `nil` if too many wait.
    func turn(at now: Runtime.Instant, _ settings: Backend.Settings) -> Runtime.Instant? {
        turns.removeAll { $0 <= now }
        guard turns.count < settings.queue else { return nil }
        let start = max(now.offset, turns.last?.offset ?? .zero)
        let turn = Runtime.Instant(offset: settings.end(ofWorkFrom: start))
        turns.append(turn)
        return turn
    }
}

extension Backend.Settings {
    /// When the work for one request is done that begins at a time; a change of pace on the way counts.
    fileprivate func end(ofWorkFrom start: Duration) -> Duration {
        var (time, left) = (start, 1.0)
        while true {
            let pace = brownOut.contains(time) ? brownedOutRate : rate
            let end = time + .seconds(left / pace)
            let changes = [brownOut.lowerBound, brownOut.upperBound]
            guard let change = changes.first(where: { time < $0 && $0 < end }) else { return end }
            left -= (change - time) / .seconds(1) * pace
            time = change
        }
    }
}
