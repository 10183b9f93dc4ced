import Synchronization

/// An authority's tokens.
final class Tokens: Sendable {
    private let tokens: Mutex<Int>

    init(_ count: Int) { tokens = Mutex(count) }

    var count: Int { tokens.withLock { $0 } }

    func change(_ change: (Int) -> Int) { tokens.withLock { $0 = change($0) } }

    /// Takes so many if there are.
    func take(_ count: Int) -> Bool {
        tokens.withLock { tokens in
            guard tokens >= count else { return false }
            tokens -= count
            return true
        }
    }
}
