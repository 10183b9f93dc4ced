import Expectations
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestSupport
import Testing

@Suite("TimeoutInterceptor and a call's own limits")
struct CallTimeoutTests {
    @Test("interceptors below see the remaining time")
    func deadlineBelow() async throws {
        let left = try await onEverySeed(0..<100) { simulation in
            let recorder = Recorder<Duration?>()
            let transport = Echo<Int> { input, call in
                recorder.note(call.remaining)
                return input
            }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                TimeoutInterceptor<Int>(total: .seconds(8))
                AnyInterceptor<Int>("slow") { chain in
                    try await chain.call.runtime.sleep(for: .seconds(3))
                    return try await chain.proceed()
                }
                TimeoutInterceptor<Int>(attempt: .seconds(10))
            }
            _ = try await pipeline.run(1)
            return recorder.entries
        }

        expectEqual(left, [.seconds(5)])
    }

    @Test("an attempt ends with the total's error at an earlier deadline")
    func nearerDeadline() async throws {
        let code = try await onEverySeed(0..<100) { simulation in
            let transport = Echo<Int> { input, call in
                try await call.runtime.sleep(for: .seconds(60))
                return input
            }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                TimeoutInterceptor<Int>(attempt: .seconds(10))
            }
            let call = Call(runtime: simulation.runtime).withDeadline(within: .seconds(4))
            let error = await #expect(throws: TimeoutError.self) {
                try await pipeline.run(1, call: call)
            }
            expectEqual(simulation.now.offset, .seconds(4))
            expectEqual(error?.limit, .seconds(4))
            return error?.code
        }

        expectEqual(code, .total)
    }

    @Test("a call may have its own limits")
    func ownLimits() async throws {
        let (code, sends, elapsed) = try await onEverySeed(0..<100) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(600))
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport) {
                TimeoutInterceptor(total: .seconds(30))
                RetryInterceptor(policy: .steady)
                TimeoutInterceptor(attempt: .seconds(10))
            }
            let error = await #expect(throws: TimeoutError.self) {
                try await client.send(.get(orders)) { call in
                    call.totalTimeout = .seconds(100)
                    call.attemptTimeout = .seconds(40)
                }
            }
            return (error?.code, transport.sent.count, simulation.now.offset)
        }

        expectEqual(code, .total)
        expectEqual(sends, 3)
        expectEqual(elapsed, .seconds(100))
    }

    @Test("the timeout of a send replaces the total")
    func sentWithTimeout() async throws {
        let elapsed = try await onEverySeed(0..<20) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(50))
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport) {
                TimeoutInterceptor(total: .seconds(30))
            }
            _ = try await client.send(.get(orders), timeout: .seconds(60))
            await #expect(throws: TimeoutError.self) { try await client.send(.get(orders)) }
            return simulation.now.offset
        }

        expectEqual(elapsed, .seconds(80))
    }

    @Test("an upload may take as long as its own timeout allows")
    func upload() async throws {
        let statuses = try await onEverySeed(0..<20) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(600))
                return HTTP.Response(201)
            }
            let client = try simulation.client(transport) {
                TimeoutInterceptor(total: .seconds(30))
                TimeoutInterceptor(attempt: .seconds(10))
            }
            let body = HTTP.Body.text("a large body")
            await #expect(throws: TimeoutError.self) {
                try await client.upload(.put(orders), from: body, timeout: .seconds(400))
            }
            return try await client.upload(.put(orders), from: body).status
        }

        expectEqual(statuses, 201)
    }

    @Test("a call whose deadline has passed sends nothing")
    func passedDeadline() async throws {
        let sends = try await onEverySeed(0..<10) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                TimeoutInterceptor<HTTP.Request>(total: .seconds(30))
            }
            let call = Call(runtime: simulation.runtime).withDeadline(within: .zero)
            let error = await #expect(throws: TimeoutError.self) {
                try await pipeline.run(.get(orders), call: call)
            }
            expectEqual(error?.code, .total)
            return transport.sent.count
        }

        expectEqual(sends, 0)
    }
}
