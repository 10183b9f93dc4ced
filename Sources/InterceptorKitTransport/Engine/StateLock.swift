import InterceptorKit

#if INTERCEPTORKIT_SANITIZER
private typealias Underlying<Value: ~Copyable> = Lock<Value>
#else
import Synchronization

private typealias Underlying<Value: ~Copyable> = Mutex<Value>
#endif

/// A value and the lock that guards it, for what happens several times in each exchange.
///
/// The core's `Lock` is not specialized in other modules (Swift 6.3): each use looks its generic
/// metadata up.
struct StateLock<Value: ~Copyable>: ~Copyable, Sendable {
    private let underlying: Underlying<Value>

    init(_ initial: consuming sending Value) { underlying = Underlying(initial) }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try underlying.withLock(body)
    }
}
