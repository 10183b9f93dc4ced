public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One run of a test in virtual time, on one thread, in an order that a seed decides.
///
/// ```swift
/// let elapsed = try Simulation.run(seed: 7) { simulation in
///     let runtime = simulation.runtime
///     async let first: Void = runtime.sleep(for: .seconds(1))
///     async let second: Void = runtime.sleep(for: .seconds(2))
///     _ = try await (first, second)
///     return runtime.now.offset       // 2 seconds, at once
/// }
/// ```
///
/// The body, its child tasks, task groups, `async let`s, default actors and the tasks started
/// through the ``runtime`` all run on the calling thread. Whenever several can go on, a generator
/// seeded with ``seed`` draws the next one, so equal seeds give equal runs. When none can, virtual
/// time jumps to the next timer; when there is none either, the run ends with a
/// ``SimulationError``.
///
/// Plain `Task { }` and `Task.detached`, the main actor, actors with executors of their own and
/// `Task.sleep` leave the simulation: awaiting them inside the body is reported as a deadlock.
/// Start tasks through the ``runtime`` and sleep on it instead.
public final class Simulation: Sendable {
    /// The simulation the current task runs in.
    @TaskLocal package static var current: Simulation?

    /// The wall date at which every run begins: 2026-01-01 00:00:00 UTC.
    public static let startDate = Date(timeIntervalSince1970: 1_767_225_600)

    /// The most steps (a job up to its next suspension, or a timer that fires) a run may take
    /// unless told otherwise: some seconds of real time.
    public static let defaultStepLimit = 5_000_000

    /// Decides the interleaving and what the ``runtime`` draws.
    public let seed: UInt64

    /// The virtual clock, from zero; a wall date from ``startDate``; chance drawn from the seed;
    /// and tasks that run inside the simulation.
    public let runtime: Runtime

    let schedule: Schedule
    let executor = SimulationExecutor()
    let clock = VirtualClock()
    let tasks = Ledger()
    let waits = Ledger()
    private let recorded = RecordedTrace()

    init(seed: UInt64) {
        // Streams of their own, so that drawing a number does not change the interleaving.
        var streams = SplitMix64(seed: seed)
        schedule = Schedule(seed: streams.next())
        self.seed = seed
        runtime = Runtime(
            clock: clock,
            chance: SeededChance(seed: streams.next()),
            identifiers: SeededIdentifiers(first: streams.next()),
            tasks: SimulatedTasks(executor: executor, ledger: tasks)
        )
    }

    /// The virtual clock's present.
    public var now: Runtime.Instant { clock.now }

    /// What was recorded so far, in order, each with its virtual time.
    public var trace: [String] { recorded.lines }

    /// Adds a named event to the ``trace``.
    public func record(_ event: String) {
        recorded.append("\(now.offset.formattedSeconds) \(event)")
    }

    /// Lets others run first, if the seed says so.
    public func yield() async { await Task.yield() }
}

extension Simulation: CustomStringConvertible {
    /// As in `seed 17`.
    public var description: String { "seed \(seed)" }
}
