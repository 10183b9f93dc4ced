import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("AdaptiveThrottleInterceptor")
struct AdaptiveThrottleInterceptorTests {
    @Test("sends about a tenth during an outage, and everything after it")
    func recovery() async throws {
        let sends = try await onEverySeed(0..<20) { simulation in
            let runtime = simulation.runtime
            let server = Server(answering: 503)
            let throttle = AdaptiveThrottleInterceptor<HTTP.Request>()
            let client = try simulation.client(server.transport) { throttle }
            for _ in 0..<1000 { _ = try? await client.send(.get(orders)) }
            let outage = server.sends
            guard (60..<250).contains(outage) else { throw Problem(text: "\(outage) sent") }
            server.answer(200)
            for _ in 0..<3000 {
                try await runtime.sleep(for: .milliseconds(100))
                _ = try? await client.send(.get(orders))
            }
            return throttle.rejection(of: origin, runtime: runtime)
        }

        expectEqual(sends, 0)
    }

    @Test("counts calls before they are sent, also those in flight")
    func underWay() async throws {
        let rejection = try await onEverySeed(0..<20) { simulation in
            let server = Server(answering: 200)
            let gate = server.hold()
            var policy = AdaptiveThrottlePolicy()
            policy.maxRejection = 0.5
            let throttle = AdaptiveThrottleInterceptor<HTTP.Request>(policy: policy)
            let client = try simulation.client(server.transport) { throttle }
            let first = Task.child(in: simulation) { try await client.send(.get(orders)) }
            try await gate.waitForArrivals(1)
            let during = throttle.rejection(of: origin, runtime: simulation.runtime)
            gate.open()
            _ = try await first.value
            return [during, throttle.rejection(of: origin, runtime: simulation.runtime)]
        }

        expectEqual(rejection, [0.5, 0])
    }

    @Test("reports rejected calls, and sends none of them")
    func error() async throws {
        let error = try await onEverySeed(0..<20) { simulation in
            let server = Server(answering: 503)
            let client = try simulation.client(server.transport) { AdaptiveThrottleInterceptor() }
            var error: LimitError?
            var made = 0
            while error == nil {
                made += 1
                error = await failure(of: LimitError.self) { try await client.send(.get(orders)) }
            }
            guard server.sends == made - 1 else { throw Problem() }
            return error.map { "\($0.code) \($0.classification.kind)" }
        }

        expectEqual(error, "throttled rejected")
    }

    @Test("doesn't count a cancelled call as rejected by the server")
    func cancelled() async throws {
        let rejection = try await onEverySeed(0..<50) { simulation in
            let server = Server(answering: 200)
            let throttle = AdaptiveThrottleInterceptor<HTTP.Request>()
            let client = try simulation.client(server.transport) { throttle }
            let gate = server.hold()
            for _ in 0..<20 {
                let call = Task.child(in: simulation) { try await client.send(.get(orders)) }
                try await gate.waitForArrivals(1)
                call.cancel()
                guard await call.result.isCancelled else { throw Problem() }
            }
            gate.open()
            return throttle.rejection(of: origin, runtime: simulation.runtime)
        }

        expectEqual(rejection, 0)
    }

    @Test("forgets after two minutes, and keeps authorities apart")
    func forgetting() async throws {
        let rejections = try await onEverySeed(0..<20) { simulation in
            let throttle = AdaptiveThrottleInterceptor<HTTP.Request>()
            let client = try simulation.client(Server(answering: 503).transport) { throttle }
            for _ in 0..<20 { _ = try? await client.send(.get(orders)) }
            let before = throttle.rejection(of: origin, runtime: simulation.runtime)
            let other = throttle.rejection(of: "https://other.example", runtime: simulation.runtime)
            try await simulation.runtime.sleep(for: .seconds(120))
            return [before, other, throttle.rejection(of: origin, runtime: simulation.runtime)]
        }

        expectEqual(rejections, [0.9, 0, 0])
    }
}

private let origin = "https://api.example.com"
