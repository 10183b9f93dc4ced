import InterceptorKit
import InterceptorKitTesting
import Synchronization
import Testing

/// Answers from memory after the first answer. Looks right, and two callers at once may both ask.
private final class Remembering: Interceptor {
    private let known = Mutex<String?>(nil)

    func intercept(chain: InterceptorChain<String>) async throws -> String {
        if let answer = known.withLock({ $0 }) { return answer }
        let answer = try await chain.proceed()
        known.withLock { $0 = answer }
        return answer
    }
}

private struct AskedTwice: Error {}

/// The tests that the guides show.
@Suite struct TestARaceTests {
    private static let twoCallers: @Sendable (Simulation) async throws -> Void = { simulation in
        let transport = ScriptedTransport<String> { question, call in
            try await call.runtime.sleep(for: .milliseconds(5))
            return "answer to \(question)"
        }
        let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
            Remembering()
        }

        async let first = pipeline.run("now?")
        async let second = pipeline.run("now?")
        _ = try await (first, second)

        guard transport.sent.count == 1 else { throw AskedTwice() }
    }

    @Test("a hundred seeds find two callers that both refresh, and name the seed")
    func findsTheRace() throws {
        let error = #expect(throws: SimulationError.self) {
            try simulate(seeds: 0..<100, Self.twoCallers)
        }

        let seed = try #require(error?.seed)
        #expect(error?.cause is AskedTwice)
        #expect(error?.message.contains("Run it alone with INTERCEPTORKIT_SEED=\(seed).") == true)
        #expect(error?.steps.isEmpty == false)
    }

    @Test("exploring every schedule finds the race and names the decisions")
    func findsTheSchedule() throws {
        let error = #expect(throws: SimulationError.self) {
            try simulateAllSchedules(Self.twoCallers)
        }

        let schedule = try #require(error?.schedule)
        #expect(error?.message.contains("INTERCEPTORKIT_SCHEDULE=\(schedule)") == true)
    }

    @Test("two calls with an expired token refresh it once in every schedule")
    func everySchedule() throws {
        let explored = try simulateAllSchedules(limit: 2_000) { simulation in
            let refreshes = Mutex(0)
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer new" ? 200 : 401)
            }
            let tokens = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
                refreshes.withLock { $0 += 1 }
                return .bearer("new")
            }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
            }

            async let first = pipeline.run(.get("https://api.example.com/1"))
            async let second = pipeline.run(.get("https://api.example.com/2"))
            _ = try await (first, second)

            guard refreshes.withLock({ $0 }) == 1 else { throw AskedTwice() }
        }

        #expect(explored.schedules > 100)
    }
}
