#if Logging || Metrics || Tracing
import InterceptorKit
import InterceptorKitTesting
import Synchronization
import TestRun

/// Runs a body once for each seed, on a thread of its own.
func onSeeds(
    _ seeds: Range<UInt64>,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) async throws {
    try await besideOtherTests { try simulate(seeds: seeds, body) }
}

let order: HTTP.URL = "https://api.example.com/orders/7?token=hidden"

extension RetryPolicy where Input == HTTP.Request {
    /// Without randomness, and without a budget that runs would share.
    static var steady: RetryPolicy {
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.backoff.jitter = .none
        policy.budget = nil
        return policy
    }
}

/// Counts up from any task.
final class Tally: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add(_ amount: Int = 1) { value.withLock { $0 += amount } }
}
#endif
