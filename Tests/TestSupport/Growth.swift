import InterceptorKitTesting
import TestRun

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How many times as much of a processor's time work takes when there is eight times as much of it: about
/// 8 where it grows with the amount, 64 where with its square. The least of three runs counts. A simulation
/// keeps the work on its thread, whose time is measured, so that other tests have no part in it.
package func growth(
    from count: Int,
    _ work: @escaping @Sendable (_ count: Int) async throws -> () async throws -> Void
) async throws -> Double {
    try await besideOtherTests {
        try Simulation.run { _ in
            let few = try await leastTime(of: work, count)
            return try await leastTime(of: work, 8 * count) / max(1, few)
        }
    }
}

private func leastTime(
    of work: (_ count: Int) async throws -> () async throws -> Void,
    _ count: Int
) async throws -> Double {
    var least = Double.infinity
    for _ in 0..<3 {
        let run = try await work(count)
        let start = timeOfThread()
        try await run()
        least = min(least, timeOfThread() - start)
    }
    return least
}

/// In microseconds.
func timeOfThread() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}
