import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Runtime {
    /// The runtime with the real clock and real randomness.
    public static let live: Runtime = {
        let now = steadyClock()
        // Read after the other clock starts, so that no sleep ends early.
        let origin = ContinuousClock.now
        let identifiers = IdentifierSequence()
        return Runtime(
            now: now,
            date: { Date() },
            sleep: { instant in
                try await Task.sleep(
                    until: origin.advanced(by: instant.offset),
                    tolerance: .zero,
                    clock: .continuous
                )
            },
            random: {
                var generator = SystemRandomNumberGenerator()
                return generator.next()
            },
            identifier: { identifiers.next() },
            start: { name, operation in Task(name: name) { await operation() } }
        ).sharingTimers()
    }()
}

#if os(Linux)
/// Returns a clock that starts now and goes on while the system sleeps, like `ContinuousClock`. It reads the same
/// system call without 128-bit arithmetic, which took as long again.
private func steadyClock() -> @Sendable () -> Runtime.Instant {
    let origin = BootTime.now
    return { Runtime.Instant(offset: .nanoseconds(BootTime.now - origin)) }
}

private enum BootTime {
    /// The nanoseconds since the system started; `Int64` lasts for 292 years.
    static var now: Int64 {
        var time = timespec()
        // Safety: the system writes one `timespec`, and keeps no address of it.
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
#else
private func steadyClock() -> @Sendable () -> Runtime.Instant {
    let origin = ContinuousClock.now
    return { Runtime.Instant(offset: origin.duration(to: .now)) }
}
#endif

/// Distinct numbers from a random start: a counter passed through a bijective mixing function. The system's random
/// source is read once for each process; a read for each call would cost ten times more.
private final class IdentifierSequence: Sendable {
    private let counter: Atomic<UInt64>

    init() {
        var generator = SystemRandomNumberGenerator()
        counter = Atomic(generator.next())
    }

    func next() -> UInt64 {
        let count = counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        return SplitMix64.mix(count)
    }
}
