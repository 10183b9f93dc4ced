import BoundedWaits
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport's task executor",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct TaskExecutorTests {
    private let transport: CurlTransport
    private let client: HTTP.Client
    private let server: LoopbackServer

    private final class Report: Sendable {
        let longest = Lock<Duration?>(nil)
    }

    private let report = Report()

    init() throws {
        let report = report
        transport = try CurlTransport(onLongJob: { time in report.longest.withLock { $0 = time } })
        client = HTTP.Client(transport: transport)
        server = try LoopbackServer { _ in .text("hello") }
    }

    private var isOnLoop: Bool { transport.loops.loops.contains { $0.isCurrent } }

    private func call() async throws -> String {
        try await client.send(.get(server.url("/"))).text()
    }

    @Test("runs a task before and after its calls on the transport's threads")
    func task() async throws {
        let places = try await withTaskExecutorPreference(transport.taskExecutor) {
            var places = [isOnLoop]
            for _ in 0..<20 {
                expectEqual(try await call(), "hello")
                places.append(isOnLoop)
            }
            return places
        }

        expectTrue(places.allSatisfy { $0 })
        expectTrue(!isOnLoop)
    }

    @Test("runs a client's calls, whose callers go on where they were")
    @MainActor
    func client() async throws {
        let places = Lock<[Bool]>([])
        let client = try HTTP.Client(transport: transport) {
            AnyInterceptor<HTTP.Request> { [transport] chain in
                let response = try await chain.proceed()
                let isOnLoop = transport.loops.loops.contains { $0.isCurrent }
                places.withLock { $0.append(isOnLoop) }
                return response
            }
        }

        _ = try await client.send(.get(server.url("/")))
        _ = try await client.preferring(transport.taskExecutor).send(.get(server.url("/")))

        expectEqual(places.withLock { $0 }, [false, true])
        expectTrue(!isOnLoop)
    }

    /// Keeps threads until they are released.
    private final class Hold: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let count = Lock(0)

        var holders: Int { count.withLock { $0 } }

        func wait() {
            count.withLock { $0 += 1 }
            semaphore.wait()
        }

        func release(_ count: Int) { for _ in 0..<count { semaphore.signal() } }
    }

    @Test("lets transfers go on while jobs hold as many threads as they may")
    func longJobs() async throws {
        let most = LoopTurns.maximumRelieved * transport.loops.loops.count
        let hold = Hold()
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<(most + 2) {
                group.addTask(executorPreference: transport.taskExecutor) { hold.wait() }
            }
            await expectTrue(eventually(attempts: 6000) { hold.holders == most })
            // The other two wait for a thread now, and transfers do not.
            for _ in 0..<20 { expectEqual(try await call(), "hello") }
            expectEqual(hold.holders, most)
            hold.release(most + 2)
        }

        let text = try await withTaskExecutorPreference(transport.taskExecutor) { try await call() }
        expectEqual(text, "hello")
        await expectTrue(eventually(attempts: 6000) { report.longest.withLock { $0 != nil } })
    }

    @Test("hands a held thread's place over for its own call too")
    func callBehindJob() async throws {
        let hold = Hold()
        try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask(executorPreference: transport.taskExecutor) {
                hold.wait()
                return "held"
            }
            await expectTrue(eventually(attempts: 6000) { hold.holders == 1 })
            group.addTask(executorPreference: transport.taskExecutor) { try await call() }
            expectEqual(try await group.next(), "hello")
            hold.release(1)
            expectEqual(try await group.next(), "held")
        }
    }

    private final class Flag: Sendable {
        let isSet = Lock(false)
    }

    @Test("serves its transfers beside tasks that always have something to do")
    func busyTasks() async throws {
        let done = Flag()
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask(executorPreference: transport.taskExecutor) {
                    while !done.isSet.withLock({ $0 }) { await Task.yield() }
                }
            }
            for _ in 0..<20 { expectEqual(try await call(), "hello") }
            done.isSet.withLock { $0 = true }
        }
    }

    @Test("lets tasks go on elsewhere once the transport is closed")
    func closed() async throws {
        let places = await withTaskExecutorPreference(transport.taskExecutor) {
            let before = isOnLoop
            transport.close()
            await expectTrue(
                eventually(attempts: 6000) { transport.loops.loops.allSatisfy { $0.isClosed } }
            )
            for _ in 0..<10 { await Task.yield() }
            await #expect(throws: TransportError.self) { try await call() }
            return before
        }

        expectTrue(places)
    }

    @Test("ends a call of its task at once when the task is cancelled")
    func cancelled() async throws {
        let silent = try LoopbackServer { _ in .stalled }
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: transport.taskExecutor) { [client] in
                _ = try await client.send(.get(silent.url("/")))
            }
            await expectTrue(eventually(attempts: 6000) { transport.loops.liveCount == 1 })
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
    }
}
