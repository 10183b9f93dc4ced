import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSharedState
import Synchronization

/// The store of a simulated fleet, which is away now and then and keeps count of what it must not do.
final class SharedStore: Sendable {
    private struct State {
        var outages: [Range<Runtime.Instant>] = []
        /// The tokens of the holders that recorded a response under each key.
        var recorders: [String: Set<Int64>] = [:]
        /// The end of the lease that each key's holder had last.
        var leaseEnds: [String: Runtime.Instant] = [:]
        var stuck = 0
    }

    let memory: MemoryIdempotencyStore
    let runtime: Runtime
    private let state = Lock(State())

    init(_ runtime: Runtime, outages: [Range<Runtime.Instant>]) {
        memory = MemoryIdempotencyStore(runtime: runtime)
        self.runtime = runtime
        state.withLock { $0.outages = outages }
    }

    var isAway: Bool {
        let now = runtime.now
        return state.withLock { $0.outages.contains { $0.contains(now) } }
    }

    /// How many responses were recorded beyond the first of a key.
    var repeatedRecords: Int {
        state.withLock { $0.recorders.values.reduce(0) { $0 + max(0, $1.count - 1) } }
    }

    /// How many claims met a key in progress after its holder's last lease had ended.
    var stuck: Int { state.withLock(\.stuck) }

    func note(_ claim: IdempotencyClaim, of key: IdempotencyRecordKey, _ terms: IdempotencyTerms) {
        let now = runtime.now
        state.withLock { state in
            switch claim {
            case .granted: state.leaseEnds[key.name] = now.advanced(by: terms.lease)
            case .inProgress where now >= state.leaseEnds[key.name] ?? now: state.stuck += 1
            default: break
            }
        }
    }

    func noteExtension(of lease: IdempotencyLease, _ terms: IdempotencyTerms) {
        let end = runtime.now.advanced(by: terms.lease)
        state.withLock { $0.leaseEnds[lease.key.name] = end }
    }

    func noteRecord(of lease: IdempotencyLease) {
        state.withLock { state in
            _ = state.recorders[lease.key.name, default: []].insert(lease.token)
        }
    }
}
