#if JWT
import InterceptorKitConcurrency
import Synchronization

/// A count of what happened.
final class Counter: Sendable {
    private let state = Lock(0)

    var count: Int { state.withLock { $0 } }

    func add() { state.withLock { $0 += 1 } }
}
#endif
