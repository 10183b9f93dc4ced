import Expectations
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

        expectEqual(call.attempt, 1)
        expectEqual(call.withAttempt(3).attempt, 3)
        expectEqual(call.withAttempt(3).id, call.id)
        expectTrue(call.id != other.id)
        expectEqual(call.id.description.count, 16)
    }

    @Test("keeps the earlier of two deadlines")
    func deadlines() {
        let soon = Runtime.Instant(offset: .seconds(1))
        let late = Runtime.Instant(offset: .seconds(9))

        expectEqual(Call().deadline, nil)
        expectEqual(Call().remaining, nil)
        expectEqual(Call(deadline: soon).withDeadline(late).deadline, soon)
        expectEqual(Call(deadline: late).withDeadline(soon).deadline, soon)
    }

    @Test("never has negative time left")
    func passedDeadline() {
        let call = Call(deadline: Runtime.Instant(offset: .seconds(-5)))

        expectEqual(call.remaining, .zero)
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

        expectEqual(outputs.count, 200)
        expectTrue(outputs.allSatisfy { $0.0 == $0.1 })
    }
}
