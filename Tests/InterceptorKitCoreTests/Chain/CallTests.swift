import InterceptorKit
import TestSupport
import Testing

@Suite("Call")
struct CallTests {
    private enum Count: CallKey { static let defaultValue = 0 }

    @Test("keeps its id and starts at attempt 1")
    func identity() {
        let call = Call()
        let other = Call()

        #expect(call.attempt == 1)
        #expect(call.withAttempt(3).attempt == 3)
        #expect(call.withAttempt(3).id == call.id)
        #expect(call.id != other.id)
        #expect(call.id.description.count == 16)
    }

    @Test("keeps the earlier of two deadlines")
    func deadlines() {
        let soon = Runtime.Instant(offset: .seconds(1))
        let late = Runtime.Instant(offset: .seconds(9))

        #expect(Call().deadline == nil)
        #expect(Call().remaining == nil)
        #expect(Call(deadline: soon).withDeadline(late).deadline == soon)
        #expect(Call(deadline: late).withDeadline(soon).deadline == soon)
    }

    @Test("never has negative time left")
    func passedDeadline() {
        let call = Call(deadline: Runtime.Instant(offset: .seconds(-5)))

        #expect(call.remaining == .zero)
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
                    let call = Call().withValue(number, for: Count.self)
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
