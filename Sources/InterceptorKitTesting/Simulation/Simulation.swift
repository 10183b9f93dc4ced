public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

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
///     return runtime.now.offset  // 2 seconds, at once
/// }
/// ```
///
/// The body, its child tasks, task groups, `async let`s, default actors, the tasks started through
/// the ``runtime``, and plain and detached tasks all run on the calling thread. Whenever several can
/// go on, a generator seeded with ``seed`` draws the next one, so equal seeds give equal runs. When
/// none can, virtual time jumps to the next timer; when there is none either, the run ends with a
/// ``SimulationError``.
///
/// Plain and detached tasks are captured by what Swift's runtime has and does not publish. The first
/// simulation of a process tries it out; where it is not as expected, these tasks run outside, as
/// ordinary ones do, and a deadlock's error says what was not.
///
/// Four things cannot be part of it. `Task.sleep` and the real clocks' `sleep` end the run with an
/// error that names the task. The main actor, actors with executors of their own and whatever other
/// threads do leave the simulation: awaiting them is reported as a deadlock. A default actor must
/// not be shared with code outside, since anyone who uses it first runs its next turns too.
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

    /// The virtual clock, from zero; a wall date from ``startDate``; randomness drawn from the seed;
    /// and tasks that run inside the simulation.
    public let runtime: Runtime

    let schedule: Lock<Schedule>
    let executor = SimulationExecutor()
    /// Runs what a test starts by a task of its own.
    package var taskExecutor: any TaskExecutor { executor }
    let clock = VirtualClock()
    let tasks = Ledger()
    private let recorded = RecordedTrace()
    private let failedPlaces = RecordedTrace()

    init(seed: UInt64, choices: [Int]? = nil) {
        // Streams of their own, so that drawing a number does not change the interleaving.
        var streams = SplitMix64(seed: seed)
        let drawn = Schedule(seed: streams.next())
        schedule = Lock(choices.map { Schedule(choices: $0) } ?? drawn)
        self.seed = seed
        runtime = Runtime(
            clock: clock,
            randomSource: SeededRandomSource(seed: streams.next()),
            identifiers: SeededIdentifiers(first: streams.next()),
            tasks: SimulatedTasks(executor: executor, ledger: tasks),
            waits: executor.waits
        )
    }

    /// The virtual clock's present.
    public var now: Runtime.Instant { clock.now }

    /// What was recorded so far, in order, each with its virtual time.
    public var trace: [String] { recorded.lines }

    /// Adds a named event to the ``trace``.
    public func record(_ event: String) {
        recorded.append("\(now.offset.formattedSeconds) \(event)")
        executor.note { $0.recorded(event) }
    }

    /// Every step so far, in order: which task ran when, and what it recorded.
    ///
    /// As in `2 s task 3 "refresh"`. Equal seeds give equal lines, in every process.
    public var steps: [String] { executor.trace.lines }

    /// Notes that an expectation failed and says under which seed or schedule.
    package func recordFailure(at place: String) -> String {
        failedPlaces.append(place)
        return "Failed with \(self): \(replay) replays it."
    }

    /// Where expectations failed so far.
    var failures: [String] { failedPlaces.lines }

    /// Lets others run first, if the seed says so.
    public func yield() async { await Task.yield() }
}

extension Simulation: CustomStringConvertible {
    /// As in `seed 17`, or `schedule 0.2.1` where all are gone through.
    public var description: String {
        givenSchedule.map { "schedule \($0)" } ?? "seed \(seed)"
    }

    /// The setting of the environment that repeats this run, as in `INTERCEPTORKIT_SEED=17`.
    var replay: String {
        givenSchedule.map { "\(scheduleVariable)=\($0)" } ?? "\(seedVariable)=\(seed)"
    }

    private var givenSchedule: String? { schedule.withLock { $0.text } }
}
