import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Runtime {
    init(
        clock: VirtualClock,
        randomSource: SeededRandomSource,
        identifiers: SeededIdentifiers,
        tasks: SimulatedTasks,
        waits: ActivityRegistry
    ) {
        self.init(
            now: { clock.now },
            date: { Simulation.startDate.addingTimeInterval(clock.now.offset.inSeconds) },
            sleep: { instant in try await clock.wait(until: instant) },
            random: { randomSource.next() },
            identifier: { identifiers.next() },
            start: { name, operation in tasks.start(name, operation) },
            waits: { what in
                waits.beginWait(what)
            }
        )
    }
}

/// Pseudorandom numbers from a seed.
final class SeededRandomSource: Sendable {
    private let generator: Lock<SplitMix64>

    init(seed: UInt64) { generator = Lock(SplitMix64(seed: seed)) }

    func next() -> UInt64 { generator.withLock { $0.next() } }
}

/// Distinct numbers derived from a first one.
final class SeededIdentifiers: Sendable {
    private let count: Lock<UInt64>

    init(first: UInt64) { count = Lock(first) }

    func next() -> UInt64 {
        let count = count.withLock { count in
            count &+= 1
            return count
        }
        return SplitMix64.mix(count)
    }
}

/// Starts tasks inside a simulation and tracks those that have not ended.
struct SimulatedTasks: Sendable {
    let executor: SimulationExecutor
    let registry: ActivityRegistry

    func start(
        _ name: String,
        _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        let entry = registry.begin { "task \"\(name)\" has not ended" }
        let task = Task(name: name, executorPreference: executor) { [registry] in
            await operation()
            registry.end(entry)
        }
        executor.name(task, name)
        registry.attach({ task.cancel() }, to: entry)
        return task
    }
}
