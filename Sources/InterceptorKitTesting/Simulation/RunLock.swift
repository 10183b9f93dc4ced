// The core's `Lock` is not specialized in other modules (Swift 6.3), which costs a simulation a
// quarter of its time: each use looks its generic metadata up.
#if INTERCEPTORKIT_SANITIZER
import InterceptorKit

typealias RunLock = Lock
#else
import Synchronization

/// A value and the lock that guards it, for what a simulation does at each step.
struct RunLock<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    init(_ initial: consuming sending Value) { mutex = Mutex(initial) }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}
#endif
