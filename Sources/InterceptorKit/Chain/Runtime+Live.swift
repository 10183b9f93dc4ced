import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Runtime {
    /// Real time and real chance.
    public static let live: Runtime = {
        let origin = ContinuousClock.now
        let identifiers = IdentifierSequence()
        return Runtime(
            now: { Instant(offset: origin.duration(to: .now)) },
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
        ).sharingAlarms()
    }()
}

/// Distinct numbers from a random start: a counter through a mixing function that never maps two
/// counts to one number. One system draw a process instead of one a call, which costs ten times more.
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
