public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Runtime {
    /// A runtime on a virtual clock with seeded randomness, for tests without a ``Simulation``.
    ///
    /// Its wall date begins at ``Simulation/startDate`` and advances with the clock. Its tasks are real ones, so the
    /// system decides their order, not the seed.
    /// - Parameters:
    ///   - clock: The clock for its sleeps.
    ///   - seed: The seed of its random numbers and identifiers. Defaults to 0.
    public static func virtual(clock: VirtualClock, seed: UInt64 = 0) -> Runtime {
        var streams = SplitMix64(seed: seed)
        let randomSource = SeededRandomSource(seed: streams.next())
        let identifiers = SeededIdentifiers(first: streams.next())
        return Runtime(
            now: { clock.now },
            date: { Simulation.startDate.addingTimeInterval(clock.now.offset.inSeconds) },
            sleep: { instant in try await clock.sleep(until: instant) },
            random: { randomSource.next() },
            identifier: { identifiers.next() },
            start: { name, operation in Task(name: name) { await operation() } }
        )
    }
}
