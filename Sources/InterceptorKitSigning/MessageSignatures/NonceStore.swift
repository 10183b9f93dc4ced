import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Remembers the nonces of verified messages, so that none is accepted twice.
public protocol NonceStore: Sendable {
    /// Notes a nonce.
    /// - Parameters:
    ///   - nonce: The nonce, already verified; at most 256 bytes.
    ///   - keyID: Whose it is.
    ///   - expiry: Until when it has to be remembered.
    ///   - date: The present.
    func note(
        _ nonce: String,
        of keyID: String,
        until expiry: Date,
        at date: Date
    ) async throws -> NonceCheckResult
}

/// What a ``NonceStore`` says of a nonce.
public enum NonceCheckResult: Sendable, Hashable {
    /// It was not seen before, and is remembered now.
    case fresh
    /// It was seen before.
    case replayed
    /// There is no room to remember it.
    case full
}

/// Nonces in memory, for a server of one process.
///
/// They are forgotten in generations: after their time, and before twice of it. When it is full,
/// nothing is accepted until the next generation, rather than anything twice.
public final class NonceCache: NonceStore {
    private struct Entry: Hashable {
        let keyID: String
        let nonce: String
    }

    private struct State {
        var current: Set<Entry> = []
        var previous: Set<Entry> = []
        var start: Date?
        var window: TimeInterval = 0

        mutating func rotate(at date: Date) {
            let age = start.map { date.timeIntervalSince($0) } ?? 0
            guard start == nil || age >= window else { return }
            previous = age >= 2 * window ? [] : current
            current = []
            start = date
        }
    }

    private let capacity: Int
    private let state = Lock(State())

    /// Creates an empty cache.
    /// - Parameter capacity: How many nonces a generation holds; there are two. Defaults to 100,000.
    public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

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
            guard state.current.count < capacity else { return .full }
            state.current.insert(entry)
            return .fresh
        }
    }

    /// How many nonces are remembered.
    public var count: Int { state.withLock { $0.current.count + $0.previous.count } }
}
