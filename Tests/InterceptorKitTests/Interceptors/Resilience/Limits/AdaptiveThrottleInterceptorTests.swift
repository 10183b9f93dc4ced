import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("AdaptiveThrottleInterceptor")
struct AdaptiveThrottleInterceptorTests {
    @Test("rejects nothing while the server accepts half of the calls")
    func half() async throws {
        let rejection = try await onEverySeed(0..<20) { simulation in
            let server = Server(answering: 200)
            let throttle = AdaptiveThrottleInterceptor<HTTP.Request>()
            let client = try simulation.client(server.transport) { throttle }
            for number in 0..<100 {
                server.answer(number % 2 == 0 ? 200 : 503)
                _ = try await client.send(.get(orders))
            }
            return throttle.rejection(of: origin, runtime: simulation.runtime)
        }

        #expect(rejection == 0)
    }

    @Test(
        "rejects calls by its formula, and at most nine of ten",
        arguments: [
            (10, 90, 80.0 / 101), (0, 9, 0.9), (0, 3, 0.75), (40, 60, 20.0 / 101), (0, 500, 0.9),
            (0, 0, 0), (50, 50, 0), (100, 0, 0),
        ] as [(Int, Int, Double)]
    )
    func rule(accepted: Int, refused: Int, probability: Double) {
        let count = SlidingTally.Count(calls: accepted + refused, failures: refused)

        let rejection = AdaptiveThrottlePolicy().rejection(count)

        #expect(abs(rejection - probability) < 0.000_001)
    }

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

        #expect(sends == 0)
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

        #expect(rejection == [0.5, 0])
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

        #expect(error == "throttled rejected")
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

        #expect(rejection == 0)
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

        #expect(rejections == [0.9, 0, 0])
    }

    @Test(
        "refuses invalid numbers",
        arguments: [
            Refusal({ $0.multiplier = 0.5 }, "multiplier is 0.5 and has to be from 1.0 to 1000.0."),
            Refusal({ $0.multiplier = .nan }, "multiplier is nan"),
            Refusal({ $0.multiplier = .infinity }, "multiplier is inf"),
            Refusal({ $0.window = .zero }, "window is 0 s"),
            Refusal({ $0.maxRejection = 1 }, "maxRejection is 1.0"),
            Refusal({ $0.maxRejection = .nan }, "maxRejection is nan"),
            Refusal({ $0.maxRejection = -1 }, "maxRejection is -1.0"),
            Refusal({ $0.authorityLimit = -1 }, "authorityLimit is -1"),
        ] as [Refusal<AdaptiveThrottlePolicy>]
    )
    func refusals(refusal: Refusal<AdaptiveThrottlePolicy>) {
        var policy = AdaptiveThrottlePolicy()
        refusal.change(&policy)

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { [policy] in
                AdaptiveThrottleInterceptor(policy: policy)
            }
        }

        #expect(error?.message.contains(refusal.text) == true)
    }
}

private let origin = "https://api.example.com"
