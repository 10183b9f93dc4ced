import Dispatch
import Foundation
package import Testing

/// Runs each test on a thread apart from those that all tasks share.
///
/// A test that computes for long keeps its thread. On the few threads that all tests share it would hold
/// up those that wait for real connections.
package struct ProcessorBound: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    @concurrent
    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await onProcessorThread(function)
    }
}

extension Trait where Self == ProcessorBound {
    /// Runs the tests on threads of their own, as many at once as there are processors. For tests that
    /// compute for more than a moment.
    package static var processorBound: Self { Self() }
}

/// Runs something long, such as simulations, on a thread apart from those that all tasks share.
package func besideOtherTests<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    if ProcessorThreads.isOnOne { return try body() }
    return try await onProcessorThread { try body() }
}

private func onProcessorThread<Result: Sendable>(
    _ body: @Sendable @concurrent () async throws -> Result
) async throws -> Result {
    let thread = await threads.take()
    let result: Swift.Result<Result, any Error>
    do {
        let value = try await ProcessorThreads.$isOnOne.withValue(true) {
            try await withTaskExecutorPreference(thread) { try await body() }
        }
        result = .success(value)
    } catch {
        result = .failure(error)
    }
    await threads.giveBack(thread)
    return try result.get()
}

private let threads = ProcessorThreads()

/// As many threads as there are processors, each for one test at a time.
private actor ProcessorThreads {
    @TaskLocal static var isOnOne = false

    private var free = (0..<max(1, ProcessInfo.processInfo.activeProcessorCount)).map {
        ProcessorThread(number: $0)
    }
    private var waiting: [CheckedContinuation<ProcessorThread, Never>] = []

    func take() async -> ProcessorThread {
        if let thread = free.popLast() { return thread }
        return await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack(_ thread: ProcessorThread) {
        if waiting.isEmpty {
            free.append(thread)
        } else {
            waiting.removeFirst().resume(returning: thread)
        }
    }
}

private final class ProcessorThread: TaskExecutor {
    private let queue: DispatchQueue

    init(number: Int) { queue = DispatchQueue(label: "processor-bound tests \(number)") }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
