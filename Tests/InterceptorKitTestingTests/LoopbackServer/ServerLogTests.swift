import Expectations
import InterceptorKitConcurrency
import Synchronization
import Testing

@testable import InterceptorKitLoopback

@Suite("ServerLog")
struct ServerLogTests {
    private let log = ServerLog()
    private let deadline = ContinuousClock.now + .seconds(3_600)

    /// Waits, lets something happen meanwhile and returns what the wait failed with.
    private func failure(
        of condition: WaitCondition,
        _ happen: (Waiter<Void, any Error>) -> Void
    ) async -> TestKitError? {
        let task = Waiter<Void, any Error>()
        do {
            _ = try log.join(task, for: condition, until: deadline, .seconds(3_600))
            happen(task)
            try await task.value()
            return nil
        } catch {
            return error as? TestKitError
        }
    }

    @Test("resumes who waits when the facts are what was waited for, not before")
    func update() async {
        let failure = await failure(of: .requests(2)) { task in
            log.update { $0.requestCount += 1 }
            expectTrue(!task.isResumed)
            log.update { $0.requestCount += 1 }
            expectTrue(task.isResumed)
        }

        expectEqual(failure?.message, nil)
    }

    @Test("fails a wait at its deadline, and says before when that is")
    func expires() async {
        let failure = await failure(of: .requests(2)) { _ in
            log.update { $0.requestCount += 1 }
            expectEqual(log.expireWaits(deadline - .nanoseconds(1)), deadline)
            expectEqual(log.expireWaits(deadline), nil)
        }

        expectEqual(failure?.code, .timedOut)
        expectEqual(failure?.message, "Waited 3600 s for 2 requests; received: 1.")
    }

    @Test("fails waits when the server stops, unless that is what they wait for")
    func finishes() async {
        log.update { $0.openConnections = 3 }

        let closed = await failure(of: .openConnections(0)) { _ in log.finish() }
        let request = await failure(of: .requests(1)) { _ in log.finish() }

        expectEqual(closed?.message, nil)
        expectEqual(request?.code, .stopped)
        expectTrue(log.facts.isStopped)
        expectEqual(log.facts.openConnections, 0)
    }
}
