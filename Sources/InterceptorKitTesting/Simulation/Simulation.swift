public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A run of a test in virtual time, on one thread, in an order that a seed decides.
///
/// ```swift
/// let elapsed = try Simulation.run(seed: 7) { simulation in
///     let runtime = simulation.runtime
///     async let first: Void = runtime.sleep(for: .seconds(1))
///     async let second: Void = runtime.sleep(for: .seconds(2))
///     _ = try await (first, second)
///     return runtime.now.offset  // 2 seconds, at once
/// }
/// ```
///
/// The body, its child tasks, task groups, `async let`s, default actors, tasks started through the ``runtime``, and
/// plain and detached tasks all run on the calling thread. Whenever several can continue, a generator seeded with
/// ``seed`` chooses the next one, so equal seeds give equal runs. When none can, virtual time jumps to the next timer;
/// without a timer, the run ends with a ``SimulationError``.
///
/// Plain and detached tasks are captured through unpublished parts of Swift's runtime. The first simulation of a
/// process tests these parts; if they differ, these tasks run outside the simulation like ordinary ones, and the error
/// for a deadlock describes the difference.
///
/// Four things cannot be simulated. `Task.sleep` and the real clocks' `sleep` end the run with an error that
/// names the task. The main actor, actors with their own executors and work on other threads leave the simulation:
/// awaiting them is reported as a deadlock. Don't share a default actor with code outside, because its first user also
/// runs its next jobs.
public final class Simulation: Sendable {
    /// The simulation the current task runs in.
    @TaskLocal package static var current: Simulation?

    /// The wall date at which every run begins: 2026-01-01 00:00:00 UTC.
    public static let startDate = Date(timeIntervalSince1970: 1_767_225_600)

    /// The default step limit of a run, some seconds of real time. A step is a job up to its next suspension, or a
    /// timer that fires.
    public static let defaultStepLimit = 5_000_000

    /// The seed, which decides the interleaving and the random numbers of the ``runtime``.
    public let seed: UInt64

    /// The runtime of the run: the virtual clock, from zero; a wall date from ``startDate``; randomness drawn from the
    /// seed; and tasks that run inside the simulation.
    public let runtime: Runtime

    let schedule: Lock<Schedule>
    let executor = SimulationExecutor()
    /// The executor for tasks that a test starts itself.
    package var taskExecutor: any TaskExecutor { executor }
    let clock = VirtualClock()
    let tasks = ActivityRegistry()
    private let recorded = RecordedTrace()
    private let failedPlaces = RecordedTrace()

    init(seed: UInt64, choices: [Int]? = nil) {
        // The streams are separate, so that drawing a number does not change the interleaving.
        var streams = SplitMix64(seed: seed)
        let drawn = Schedule(seed: streams.next())
        schedule = Lock(choices.map { Schedule(choices: $0) } ?? drawn)
        self.seed = seed
        runtime = Runtime(
            clock: clock,
            randomSource: SeededRandomSource(seed: streams.next()),
            identifiers: SeededIdentifiers(first: streams.next()),
            tasks: SimulatedTasks(executor: executor, registry: tasks),
            waits: executor.waits
        )
    }

    /// The virtual clock's current instant.
    public var now: Runtime.Instant { clock.now }

    /// The lines recorded so far, in order, each with its virtual time.
    public var trace: [String] { recorded.lines }

    /// Adds a named event to the ``trace``.
    public func record(_ event: String) {
        recorded.append("\(now.offset.formattedSeconds) \(event)")
        executor.note { $0.recorded(event) }
    }

    /// Every step so far, in order: the task that ran, the time, and the recorded events.
    ///
    /// A step has the form `2 s task 3 "refresh"`. Equal seeds give equal lines, in every process.
    public var steps: [String] { executor.trace.lines }

    /// Records that an expectation failed and returns a text with the seed or schedule.
    package func recordFailure(at place: String) -> String {
        failedPlaces.append(place)
        return "Failed with \(self): \(replay) replays it."
    }

    /// The places of expectations that have failed so far.
    var failures: [String] { failedPlaces.lines }

    /// Lets other tasks run first, if the seed says so.
    public func yield() async { await Task.yield() }
}

extension Simulation: CustomStringConvertible {
    /// The run as text: `seed 17`, or `schedule 0.2.1` when all schedules run.
    public var description: String {
        givenSchedule.map { "schedule \($0)" } ?? "seed \(seed)"
    }

    /// The environment variable that repeats this run, as in `INTERCEPTORKIT_SEED=17`.
    var replay: String {
        givenSchedule.map { "\(scheduleVariable)=\($0)" } ?? "\(seedVariable)=\(seed)"
    }

    private var givenSchedule: String? { schedule.withLock { $0.text } }
}
