import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The statistics of a cache since its creation.
public struct CacheStatistics: Sendable, Hashable {
    /// The number of fresh responses used without asking the server.
    public var hits = 0
    /// The number of stale responses used without asking the server.
    public var staleHits = 0
    /// The number of stored responses that the server confirmed.
    public var validations = 0
    /// The number of responses from the server to requests that were looked up.
    public var misses = 0
    /// The number of responses stored.
    public var stored = 0
    /// The number of failures of the store.
    public var storeFailures = 0

    /// Creates statistics that are all zero.
    public init() {}

    /// The share of responses that needed no body from the server, from 0 to 1; 0 without responses.
    public var hitRate: Double {
        let spared = hits + staleHits + validations
        return spared + misses == 0 ? 0 : Double(spared) / Double(spared + misses)
    }
}

/// The counters that all copies of a cache share.
final class CacheMetrics: Sendable {
    private let statistics = Lock(CacheStatistics())

    var now: CacheStatistics { statistics.withLock(\.self) }

    func change(_ change: (inout CacheStatistics) -> Void) { statistics.withLock { change(&$0) } }
}
