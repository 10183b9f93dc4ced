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
        _ happen: () -> Void
    ) async -> LoopbackServerError? {
        do {
            try await withCheckedThrowingContinuation { continuation in
                log.state.withLock { state in
                    state.waiters[1] = ServerLog.Waiter(
                        condition: condition,
                        deadline: deadline,
                        timeout: .seconds(3_600),
                        continuation: continuation
                    )
                }
                happen()
            }
            return nil
        } catch {
            return error as? LoopbackServerError
        }
    }

    private var waiterCount: Int { log.state.withLock { $0.waiters.count } }

    @Test("resumes who waits when the facts are what was waited for, not before")
    func update() async {
        let failure = await failure(of: .requests(2)) {
            log.update { $0.requestCount += 1 }
            expectEqual(waiterCount, 1)
            log.update { $0.requestCount += 1 }
            expectEqual(waiterCount, 0)
        }

        expectEqual(failure, nil)
    }

    @Test("fails a wait at its deadline, and says before when that is")
    func expires() async {
        let failure = await failure(of: .requests(2)) {
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

        let closed = await failure(of: .openConnections(0)) { log.finish() }
        let request = await failure(of: .requests(1)) { log.finish() }

        expectEqual(closed, nil)
        expectEqual(request?.code, .stopped)
        expectTrue(log.facts.isStopped)
        expectEqual(log.facts.openConnections, 0)
    }
}
