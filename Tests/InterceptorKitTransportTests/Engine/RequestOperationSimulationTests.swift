import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitEngine
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Exchange over an engine that misbehaves")
struct RequestOperationSimulationTests {
    @Test("resumes caller and reader once, cancels once and leaks nothing")
    func misbehaviour() async throws {
        let tally = Tally()
        try await besideOtherTests {
            try simulate(seeds: 0..<max(200, 2 * seedCount)) { simulation in
                let run = Run(runtime: simulation.runtime)
                try await run.play()
                tally.note(run.outcome)
                try require(run.engine.facts.withLock { $0.cancels } <= 1, "cancelled twice")
                try require(run.engine.facts.withLock { $0.starts } <= 1, "started twice")
                try require(run.isPrefix, "the reader saw other bytes than came")
                try require(run.operation == nil, "the exchange is still there")
            }
        }

        // Every ending was reached, so the model does misbehave in every way.
        let endings = ["whole", "cancelled", "failed head", "failed body", "left"]
        expectEqual(endings.filter { tally.counts[$0, default: 0] < 2 }, [], "\(tally.counts)")
    }
}

private struct Broken: Error { var text: String }

private func require(_ condition: Bool, _ text: String) throws {
    if !condition { throw Broken(text: text) }
}

private final class Tally: Sendable {
    private let storage = Mutex<[String: Int]>([:])

    var counts: [String: Int] { storage.withLock(\.self) }

    func note(_ name: String) { storage.withLock { $0[name, default: 0] += 1 } }
}

/// One exchange, its caller, who also reads, and those who disturb them.
private final class Run: Sendable {
    private struct Facts {
        var outcome = "not over"
        var read = Data()
    }

    private final class WeakRoute: Sendable {
        private let storage = Mutex<WeakExchange>(WeakExchange())
        var operation: RequestOperation? {
            get { storage.withLock(\.operation) }
            set { storage.withLock { $0.operation = newValue } }
        }
    }

    private struct WeakExchange { weak var operation: RequestOperation? }

    let engine: ModelEngine
    private let runtime: Runtime
    private let facts = Mutex(Facts())
    private let weakly = WeakRoute()

    init(runtime: Runtime) {
        self.runtime = runtime
        engine = ModelEngine(runtime)
    }

    var outcome: String { facts.withLock(\.outcome) }
    var operation: RequestOperation? { weakly.operation }
    var isPrefix: Bool {
        let read = facts.withLock(\.read)
        return engine.facts.withLock { $0.accepted.starts(with: read) }
    }

    func play() async throws {
        let caller = try await start()
        let canceller = runtime.start("canceller") { [self] in
            if runtime.random() % 3 == 0 {
                try? await runtime.sleep(for: pause(below: 40))
                caller.cancel()
            }
            // An engine that never completes leaves it to the caller to give up.
            try? await runtime.sleep(for: .seconds(5))
            caller.cancel()
        }
        await caller.value
        canceller.cancel()
        await canceller.value
        await engine.settle()
    }

    private func start() async throws -> Task<Void, Never> {
        let outgoing = try await OutgoingRequest(
            .get("http://a.test/"),
            host: "a.test:80",
            settings: .init(),
            registry: TaskRegistry(),
            call: Call(runtime: runtime)
        )
        let limits = ReceiveBuffer.Limits(memory: 6, files: 24, file: 10)
        let operation = RequestOperation(outgoing, limits: limits, engine: engine)
        weakly.operation = operation
        if runtime.random() % 4 == 0 {
            engine.own(
                runtime.start("closer") { [self] in
                    try? await runtime.sleep(for: pause(below: 40))
                    operation.handle(.failed(.closed))
                }
            )
        }
        return runtime.start("caller") { [self] in await call(operation) }
    }

    private func call(_ operation: RequestOperation) async {
        let deadline = runtime.now.advanced(by: .milliseconds(Int(runtime.random() % 60)))
        let isHurried = runtime.random() % 2 == 0
        do {
            _ = try await operation.head(
                before: isHurried ? deadline : nil,
                on: runtime,
                timer: "deadline"
            )
        } catch {
            end(error is CancellationError ? "cancelled" : "failed head")
            return
        }
        await read(ResponseBodyStream(operation))
    }

    private func read(_ body: ResponseBodyStream) async {
        do {
            while let chunk = try await body.next() {
                facts.withLock { $0.read += chunk }
                if runtime.random() % 8 == 0 { try await runtime.sleep(for: pause(below: 20)) }
                if runtime.random() % 24 == 0 {
                    end("left")
                    return
                }
            }
            end("whole")
        } catch {
            end(error is CancellationError ? "cancelled" : "failed body")
        }
    }

    private func end(_ outcome: String) { facts.withLock { $0.outcome = outcome } }

    private func pause(below limit: UInt64) -> Duration {
        .milliseconds(Int(runtime.random() % limit))
    }
}
