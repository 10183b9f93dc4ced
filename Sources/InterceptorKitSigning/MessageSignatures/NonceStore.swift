import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store of used nonces, which prevents replays.
public protocol NonceStore: Sendable {
    /// Records a nonce.
    /// - Parameters:
    ///   - nonce: The nonce, already verified; at most 256 bytes.
    ///   - keyID: The id of the key that signed the nonce.
    ///   - expiry: The date until which the store must remember the nonce.
    ///   - date: The current date.
    func note(
        _ nonce: String,
        of keyID: String,
        until expiry: Date,
        at date: Date
    ) async throws -> NonceCheckResult
}

/// The result of recording a nonce in a ``NonceStore``.
public enum NonceCheckResult: Sendable, Hashable {
    /// The nonce is new and is now remembered.
    case fresh
    /// The nonce was used before.
    case replayed
    /// The nonce store is full.
    case full
}

/// A store of used nonces in memory, for a server with one process.
///
/// Nonces are removed by generation: after their time, and before twice that time. A full cache accepts nothing until
/// the next generation, rather than accept a nonce twice. A key may use at most as many nonces of a generation as are
/// still free, so that no single key fills the cache: alone, it gets half of the capacity.
public final class NonceCache: NonceStore {
    private struct Entry: Hashable {
        let keyID: String
        let nonce: String
    }

    private struct State {
        var current: Set<Entry> = []
        /// The number of current nonces of each key.
        var counts: [String: Int] = [:]
        var previous: Set<Entry> = []
        var start: Date?
        var window: TimeInterval = 0

        mutating func rotate(at date: Date) {
            let age = start.map { date.timeIntervalSince($0) } ?? 0
            guard start == nil || age >= window else { return }
            previous = age >= 2 * window ? [] : current
            current = []
            counts = [:]
            start = date
        }
    }

    private let capacity: Int
    private let state = Lock(State())

    /// Creates an empty cache.
    /// - Parameter capacity: The number of nonces in a generation; there are two. Defaults to 200,000.
    public init(capacity: Int = 200_000) { self.capacity = max(1, capacity) }

    public func note(
        _ nonce: String,
        of keyID: String,
        until expiry: Date,
        at date: Date
    ) async throws -> NonceCheckResult {
        let entry = Entry(keyID: keyID, nonce: nonce)
        return state.withLock { state in
            state.window = max(state.window, expiry.timeIntervalSince(date))
            state.rotate(at: date)
            if state.current.contains(entry) || state.previous.contains(entry) { return .replayed }
            let free = capacity - state.current.count
            // The dynamic threshold of Choudhury and Hahne (IEEE/ACM Transactions on Networking 6(2), 1998).
            guard free > 0, state.counts[keyID, default: 0] <= free else { return .full }
            state.current.insert(entry)
            state.counts[keyID, default: 0] += 1
            return .fresh
        }
    }

    /// The number of remembered nonces.
    public var count: Int { state.withLock { $0.current.count + $0.previous.count } }
}
