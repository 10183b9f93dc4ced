import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs a body once for every seed, each time in a separate simulation, and stops at the first seed for which it
/// throws.
///
/// ```swift
/// @Test("two calls at once are one send") func coalesced() throws {
///     try simulate(seeds: 0..<100) { simulation in
///         let transport = ScriptedTransport<HTTP.Request>(replies: [
///             .status(200).delayed(by: .seconds(1))
///         ])
///         let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
///             CoalescingInterceptor()
///         }
///
///         async let first = client.send(.get("https://api.example.com/orders"))
///         async let second = client.send(.get("https://api.example.com/orders"))
///         _ = try await (first, second)
///
///         try #require(transport.sent.count == 1)
///     }
/// }
/// ```
///
/// With `INTERCEPTORKIT_SEED=17` in the environment, only that seed runs. A failed expectation that does not throw is
/// reported without its seed, and the other seeds still run, unless the test has the trait `.namedSeeds` of
/// `InterceptorKitTestingTraits`.
/// - Parameters:
///   - seeds: The seeds to run.
///   - stepLimit: The largest number of steps in each run. Defaults to ``Simulation/defaultStepLimit``.
///   - body: The test.
/// - Throws: A ``SimulationError`` that names the seed; its cause is the body's error. `SettingError` for no seeds.
public func simulate(
    seeds: Range<UInt64>,
    stepLimit: Int = Simulation.defaultStepLimit,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) throws {
    let environment = ProcessInfo.processInfo.environment
    try simulate(seeds: seeds, stepLimit: stepLimit, environment: environment, body)
}

package func simulate(
    seeds: Range<UInt64>,
    stepLimit: Int,
    environment: [String: String],
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) throws {
    for seed in try selection(of: seeds, environment: environment) {
        try Simulation(seed: seed).runOne(stepLimit: stepLimit, body)
    }
}

private func selection(
    of seeds: Range<UInt64>,
    environment: [String: String]
) throws -> ClosedRange<UInt64> {
    if let text = environment[seedVariable] {
        guard let seed = UInt64(text) else {
            throw SettingError(
                seedVariable,
                is: "\"\(text)\"",
                mustBe: "a number from 0 to \(UInt64.max)"
            )
        }
        return seed...seed
    }
    guard !seeds.isEmpty else {
        throw SettingError("simulate.seeds", is: "an empty range", mustBe: "at least one seed")
    }
    return seeds.lowerBound...(seeds.upperBound - 1)
}
