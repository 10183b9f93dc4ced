import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitEngine
import Synchronization
import Testing

@testable import InterceptorKitTransport

@Suite("TaskRegistry")
struct TaskRegistryTests {
    private func operation(over registry: TaskRegistry) async throws -> RequestOperation {
        let outgoing = try await OutgoingRequest(
            .get("http://a.test/"),
            host: "a.test:80",
            settings: .init(),
            registry: registry,
            call: Call()
        )
        let limits = ReceiveBuffer.Limits(memory: 6, files: 24, file: 10)
        return RequestOperation(outgoing, limits: limits, engine: registry)
    }

    @Test("counts no exchange and no body once it is closed", arguments: [true, false])
    func closed(cancelling: Bool) async throws {
        let registry = TaskRegistry()
        let operation = try await operation(over: registry)
        let limits = SpooledBody.Limits(memory: 1, total: 1, folder: "/nowhere")

        registry.close(cancelling: cancelling)

        expectTrue(!registry.begin(operation))
        expectTrue(!registry.begin(BodyReading("x", within: limits, for: "a.test:80")))
        expectEqual(registry.liveCount, 0)
        await registry.idle()
    }

    @Test("is idle when its last exchange and its last body are over")
    func idle() async throws {
        let registry = TaskRegistry()
        let operation = try await operation(over: registry)
        let limits = SpooledBody.Limits(memory: 1, total: 1, folder: "/nowhere")
        let body = BodyReading("x", within: limits, for: "a.test:80")
        let isIdle = Lock(false)
        expectTrue(registry.begin(operation) && registry.begin(body))
        let waiting = Task {
            await registry.idle()
            isIdle.withLock { $0 = true }
        }

        registry.forget(operation)
        for _ in 0..<100 { await Task.yield() }
        let early = isIdle.withLock(\.self)
        registry.forget(body)
        await waiting.value

        expectTrue(!early)
        expectEqual(registry.liveCount, 0)
    }
}
