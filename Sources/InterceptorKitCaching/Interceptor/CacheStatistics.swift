import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// What a cache has done since it was made.
public struct CacheStatistics: Sendable, Hashable {
    /// Responses served without the server while they were fresh.
    public var hits = 0
    /// Responses served without the server although they were no longer fresh.
    public var staleHits = 0
    /// Stored responses that the server confirmed.
    public var validations = 0
    /// Responses that came from the server although the store was asked.
    public var misses = 0
    /// Responses stored.
    public var stored = 0
    /// Times the store failed.
    public var storeFailures = 0

    /// Creates figures that are all zero.
    public init() {}

    /// The part of responses that needed no body from the server, from 0 to 1; 0 where there were none.
    public var hitRate: Double {
        let spared = hits + staleHits + validations
        return spared + misses == 0 ? 0 : Double(spared) / Double(spared + misses)
    }
}

/// The running figures of one cache, which its copies have in common.
final class CacheMetrics: Sendable {
    private let statistics = Lock(CacheStatistics())

    var now: CacheStatistics { statistics.withLock(\.self) }

    func change(_ change: (inout CacheStatistics) -> Void) { statistics.withLock { change(&$0) } }
}
