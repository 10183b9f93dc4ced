#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Tracks the simulation that the current thread is running, also while none of its tasks runs.
enum SimulationThread {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    /// The innermost simulation's executor.
    static var executor: SimulationExecutor? {
        guard let pointer = unsafe pthread_getspecific(key) else { return nil }
        // Safety: `run` keeps it alive for as long as the thread's value points to it, and puts the outer one back
        // before it returns.
        return unsafe Unmanaged<SimulationExecutor>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Runs a body as part of a simulation, which may be nested.
    static func run<Result>(
        _ executor: SimulationExecutor,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let outer = unsafe pthread_getspecific(key)
        let own = unsafe Unmanaged.passUnretained(executor).toOpaque()
        unsafe pthread_setspecific(key, own)
        defer { unsafe pthread_setspecific(key, outer) }
        return try withExtendedLifetime(executor) { try body() }
    }
}
