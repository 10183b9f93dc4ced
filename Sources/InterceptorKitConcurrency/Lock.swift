// Thread Sanitizer does not see the futexes behind `Mutex` on Linux and reports false races, so sanitizer
// builds (`-Xswiftc -DINTERCEPTORKIT_SANITIZER`) use a pthread lock instead.
#if INTERCEPTORKIT_SANITIZER
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A value and the lock that guards it. The lock is never held across an `await`.
@safe
package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: `value` is accessed only between lock and unlock.
    //
    // Safety: `init` allocates and initializes both pointers. They keep their addresses, as a pthread lock must, until
    // `deinit` frees them, when nobody can hold the lock, because `withLock` borrows this value.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initial: consuming sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe value = .allocate(capacity: 1)
        unsafe value.initialize(to: initial)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value.pointee)
    }

    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value.pointee)
    }
}
#else
package import Synchronization

/// A value and the lock that guards it. The lock is never held across an `await`.
///
/// This is the standard library's type, so that each module specializes it: a struct around it looked up its generic
/// metadata at each use from another module (Swift 6.3).
package typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif
