import Dispatch
import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("TimeLimit and executors")
struct TimeLimitExecutorTests {
    @Test("work below keeps its caller's task executor after it was suspended")
    func taskExecutor() async throws {
        let executor = QueueExecutor()
        let isOnQueue = Recorder<Bool>()
        let transport = Echo<Int> { input, _ in
            isOnQueue.note(executor.isCurrent)
            await Task.yield()
            isOnQueue.note(executor.isCurrent)
            return input
        }
        let pipeline = try Pipeline(transport: transport) {
            TimeoutInterceptor<Int>(total: .seconds(60))
            TimeoutInterceptor<Int>(attempt: .seconds(60))
        }

        let output = try await withTaskExecutorPreference(executor) { try await pipeline.run(1) }

        expectEqual(output, 1)
        expectEqual(isOnQueue.entries, [true, true])
    }

    @Test("work below is cancelled with its caller while it waits")
    func cancelledWithCaller() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let transport = Echo<Int> { input, call in
            start.yield()
            try await call.runtime.sleep(for: .seconds(600))
            return input
        }
        let pipeline = try Pipeline(transport: transport) {
            TimeoutInterceptor<Int>(total: .seconds(600))
        }
        let task = Task { try await pipeline.run(1) }

        for await _ in started.prefix(1) { task.cancel() }

        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

/// Runs tasks on a queue of its own.
private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "QueueExecutor")
    private let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: key, value: true) }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Safety: the queue runs each job once, and this executor outlives the run.
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
