import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitEngine
import Synchronization

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An engine that does in any order what URLSession was seen to do out of order: interim heads, second
/// heads, challenges before and after bodies, bodies without heads, no completion, two, and events after
/// each; it cancels late or never.
final class ModelEngine: Engine {
    struct Facts {
        var starts = 0
        var cancels = 0
        var isHeadSeen = false
        var isOver = false
        /// What came between the first head and the first end.
        var accepted = Data()
    }

    private final class Transfer: EngineTask {
        private let whenStarted: @Sendable () -> Void
        private let whenCancelled: @Sendable () -> Void

        init(
            whenStarted: @escaping @Sendable () -> Void,
            whenCancelled: @escaping @Sendable () -> Void
        ) {
            self.whenStarted = whenStarted
            self.whenCancelled = whenCancelled
        }

        func resume() { whenStarted() }
        func cancel() { whenCancelled() }
    }

    let signalsBatches = true
    let facts = Mutex(Facts())
    private let runtime: Runtime
    private let tasks = Mutex<[Task<Void, Never>]>([])

    init(_ runtime: Runtime) { self.runtime = runtime }

    func own(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

    /// Returns when nothing of it runs any more.
    func settle() async {
        while let task = tasks.withLock({ $0.popLast() }) { await task.value }
    }

    func begin(_ operation: RequestOperation) -> Bool { runtime.random() % 40 != 0 }

    func makeTask(for operation: RequestOperation) -> (any EngineTask)? {
        if runtime.random() % 40 == 0 { return nil }
        return Transfer(
            whenStarted: { [self, weak operation] in
                facts.withLock { $0.starts += 1 }
                guard let operation else { return }
                own(runtime.start("engine") { [self] in await transfer(operation) })
            },
            whenCancelled: { [self, weak operation] in
                facts.withLock { $0.cancels += 1 }
                guard let operation, runtime.random() % 2 == 0 else { return }
                own(
                    runtime.start("cancellation") { [self] in
                        try? await runtime.sleep(for: pause())
                        finish(operation, URLError(.cancelled))
                    }
                )
            }
        )
    }

    func perform(_ action: @escaping @Sendable () -> Void) {
        own(runtime.start("calls") { action() })
    }

    func afterBatch(_ action: @escaping @Sendable () -> Void) {
        own(runtime.start("turn") { action() })
    }

    func forget(_ operation: RequestOperation) {}

    private func transfer(_ operation: RequestOperation) async {
        for _ in 0..<(runtime.random() % 24) {
            if runtime.random() % 3 == 0 { try? await runtime.sleep(for: pause()) }
            emit(operation)
        }
        if runtime.random() % 4 != 0 { finish(operation, nil) }
    }

    private func emit(_ operation: RequestOperation) {
        switch runtime.random() % 40 {
        case 0...1: operation.handle(.head(ResponseHead(status: 103, headers: [:])))
        case 2...11: head(operation)
        case 12...33: chunk(operation)
        case 34:
            facts.withLock { facts in
                facts.isHeadSeen = true
                facts.isOver = true
            }
            operation.challenge(ResponseHead(status: 401, headers: [:]))
        case 35: finish(operation, URLError(.networkConnectionLost))
        case 36: finish(operation, nil)
        case 37: operation.handle(.batchEnded)
        case 38: operation.handle(.chunk(Data()))
        default:
            facts.withLock { $0.isOver = true }
            operation.fail(.resent)
        }
    }

    private func head(_ operation: RequestOperation) {
        facts.withLock { $0.isHeadSeen = true }
        operation.handle(.head(ResponseHead(status: 200, headers: [:])))
    }

    private func chunk(_ operation: RequestOperation) {
        let chunk = Data((0...(runtime.random() % 8)).map { _ in UInt8(runtime.random() & 0xFF) })
        facts.withLock { if $0.isHeadSeen, !$0.isOver { $0.accepted += chunk } }
        operation.handle(.chunk(chunk))
    }

    private func finish(_ operation: RequestOperation, _ error: URLError?) {
        facts.withLock { $0.isOver = true }
        let head = ResponseHead(status: 301, headers: [:])
        operation.complete(
            error.map { .engine($0, mayHaveArrived: true) },
            head: runtime.random() % 2 == 0 ? head : nil
        )
    }

    private func pause() -> Duration { .milliseconds(Int(runtime.random() % 8)) }
}
