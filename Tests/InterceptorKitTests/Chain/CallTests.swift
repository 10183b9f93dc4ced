import InterceptorKit
import TestSupport
import Testing

@Suite("Call")
struct CallTests {
    private enum Tenant: CallKey { static let defaultValue = "none" }
    private enum Count: CallKey { static let defaultValue = 0 }

    @Test("keeps its id and starts at attempt 1")
    func identity() {
        let call = Call()
        let other = Call()

        #expect(call.attempt == 1)
        #expect(call.attempt(3).attempt == 3)
        #expect(call.attempt(3).id == call.id)
        #expect(call.id != other.id)
        #expect(call.id.description.count == 16)
    }

    @Test("carries values by key, and the default where none was set")
    func values() {
        var call = Call()
        call[Tenant.self] = "acme"

        #expect(call[Tenant.self] == "acme")
        #expect(call[Count.self] == 0)
        #expect(call.value(2, for: Count.self)[Tenant.self] == "acme")
    }

    @Test("keeps the earlier of two deadlines")
    func deadlines() {
        let soon = Runtime.Instant(offset: .seconds(1))
        let late = Runtime.Instant(offset: .seconds(9))

        #expect(Call().deadline == nil)
        #expect(Call().remaining == nil)
        #expect(Call(deadline: soon).deadline(late).deadline == soon)
        #expect(Call(deadline: late).deadline(soon).deadline == soon)
    }

    @Test("never has negative time left")
    func passedDeadline() {
        let call = Call(deadline: Runtime.Instant(offset: .seconds(-5)))

        #expect(call.remaining == .zero)
    }

    @Test("shows values below the interceptor that set them and nowhere else")
    func valuesNeverFlowUp() async throws {
        let seen = Recorder<String>()
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, call in
                seen.note("below \(call[Tenant.self])")
                return input
            }
        ) {
            AnyInterceptor { chain in
                let output = try await chain.proceed()
                seen.note("above \(chain.call[Tenant.self])")
                return output
            }
            AnyInterceptor { chain in
                try await chain.proceed(
                    chain.input,
                    call: chain.call.value("acme", for: Tenant.self)
                )
            }
        }

        _ = try await pipeline.run(1)

        #expect(seen.entries == ["below acme", "above none"])
    }

    @Test("hides attempt 1's values from attempt 2")
    func attemptsStartAfresh() async throws {
        let seen = Recorder<String>()
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, call in
                guard call.attempt == 2 else { throw Problem() }
                return input
            }
        ) {
            RetryInterceptor(policy: .immediate)
            AnyInterceptor { chain in
                seen.note("\(chain.call.attempt) \(chain.call[Tenant.self])")
                let call = chain.call.value("attempt \(chain.call.attempt)", for: Tenant.self)
                return try await chain.proceed(chain.input, call: call)
            }
        }

        _ = try await pipeline.run(1)

        #expect(seen.entries == ["1 none", "2 none"])
    }

    @Test("keeps per-call options of concurrent calls apart")
    func concurrentOptions() async throws {
        let pipeline = try Pipeline(
            transport: Echo<Int> { _, call in call[Count.self] }
        ) {
            AnyInterceptor { chain in try await chain.proceed() }
        }

        let outputs = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<200 {
                group.addTask {
                    let call = Call().value(number, for: Count.self)
                    return (number, try await pipeline.run(0, call: call))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(outputs.count == 200)
        #expect(outputs.allSatisfy { $0.0 == $0.1 })
    }
}

extension RetryPolicy {
    /// The standard policy without waits.
    static var immediate: RetryPolicy {
        var policy = RetryPolicy(classifier: OutcomeClassifier<Input>.standard)
        policy.backoff = Backoff(base: .zero, cap: .zero)
        policy.budget = nil
        return policy
    }
}
