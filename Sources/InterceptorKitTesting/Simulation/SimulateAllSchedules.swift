import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs a body once for every possible order of its steps, and stops at the first under which it throws.
///
/// ```swift
/// @Test("two deposits at once are both counted") func deposits() throws {
///     let explored = try simulateAllSchedules { _ in
///         let account = Account()
///         await withDiscardingTaskGroup { group in
///             for _ in 0..<2 { group.addTask { await account.deposit(10) } }
///         }
///         let balance = await account.balance
///         try #require(balance == 20)
///     }
///
///     #expect(explored.isComplete)
/// }
/// ```
///
/// Use it for small cases: n independent steps have n! orders. Schedules run depth first, and the last decision changes
/// fastest, so a limit omits those that differ early from the first-come, first-served order. A failure prints its
/// decisions; `INTERCEPTORKIT_SCHEDULE=0.2.1 swift test --filter …` replays them.
/// - Parameters:
///   - limit: The largest number of schedules to run. Defaults to 10,000. Below 1, none runs.
///   - seed: The seed of the runtime's random numbers, the same in every schedule. Defaults to 0.
///   - stepLimit: The largest number of steps in each run. Defaults to ``Simulation/defaultStepLimit``.
///   - body: The test. Its decisions must depend only on the simulation.
/// - Returns: The number of schedules that ran, and whether they are all; if not, the limit ended the exploration.
/// - Throws: A ``SimulationError`` that names the schedule; its cause is the body's error.
@discardableResult
public func simulateAllSchedules(
    limit: Int = 10_000,
    seed: UInt64 = 0,
    stepLimit: Int = Simulation.defaultStepLimit,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) throws -> (schedules: Int, isComplete: Bool) {
    let environment = ProcessInfo.processInfo.environment
    return try simulateAllSchedules(
        limit: limit,
        seed: seed,
        stepLimit: stepLimit,
        environment: environment,
        body
    )
}

package func simulateAllSchedules(
    limit: Int,
    seed: UInt64,
    stepLimit: Int,
    environment: [String: String],
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) throws -> (schedules: Int, isComplete: Bool) {
    if let text = environment[scheduleVariable] {
        _ = try run(choices(from: text), seed, stepLimit, body)
        return (schedules: 1, isComplete: false)
    }
    var next: [Int]? = []
    var count = 0
    while let choices = next, count < limit {
        next = successor(of: try run(choices, seed, stepLimit, body))
        count += 1
    }
    return (schedules: count, isComplete: next == nil)
}

private func run(
    _ choices: [Int],
    _ seed: UInt64,
    _ stepLimit: Int,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) throws -> [Schedule.Choice] {
    let simulation = Simulation(seed: seed, choices: choices)
    try simulation.runOne(stepLimit: stepLimit, body)
    let schedule = simulation.schedule.withLock { $0 }
    guard !schedule.isImpossible, schedule.choices.count >= choices.count else {
        throw SimulationError(
            .invalidSchedule,
            "The body does not make the decisions \(Schedule.text(of: choices)) one after the other: it is "
                + "another body, or what it does depends on more than the simulation."
        )
    }
    return schedule.choices
}

// Returns the next schedule depth first: the last decision that can still change does.
private func successor(of choices: [Schedule.Choice]) -> [Int]? {
    guard let last = choices.lastIndex(where: { $0.taken + 1 < $0.count }) else { return nil }
    return choices[..<last].map { $0.taken } + [choices[last].taken + 1]
}

private func choices(from text: String) throws -> [Int] {
    let choices = text.split(at: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard choices.allSatisfy({ $0.map { $0 >= 0 } ?? false }) else {
        throw SimulationError(
            .invalidSchedule,
            "\(scheduleVariable) is \"\(text)\" and not numbers joined by dots, as in 0.2.1."
        )
    }
    return choices.compactMap { $0 }
}
