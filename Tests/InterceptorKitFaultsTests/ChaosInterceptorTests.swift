import Expectations
import InterceptorKit
import InterceptorKitFaults
import InterceptorKitTesting
import Testing

@Suite struct ChaosInterceptorTests {
    @Test("an injected fault is retried like a network failure")
    func passesThroughRetry() throws {
        let base = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let events = RecordingEventSink()

        let statuses = try Simulation.run(seed: 3) { simulation in
            let client = try HTTP.Client(
                transport: base,
                timeout: nil,
                runtime: simulation.runtime,
                events: events
            ) {
                RetryInterceptor(policy: .standard)
                ChaosInterceptor([.refused(rate: 0.2), .status(503, rate: 0.2)])
            }
            var statuses: [Int] = []
            for _ in 0..<20 {
                let request = HTTP.Request.get("https://a.example/orders")
                statuses.append((try? await client.send(request).status.code) ?? 0)
            }
            return statuses
        }

        let injected = events.events.filter { $0.name == .faultInjected }
        expectTrue(injected.count > 5)
        expectTrue(injected.contains { $0.attempt > 1 })
        expectTrue(injected.allSatisfy { $0.source == "ChaosInterceptor" })
        expectTrue(events.names.count { $0 == .retryScheduled } > 5)
        expectTrue(statuses.count { $0 == 200 } > 15)
    }

    @Test("the same seed gives the same faults as in the transport")
    func sameAsTransport() throws {
        let faults: [ChaosFault<Int>] = [.refused(rate: 0.3), .latency(rate: 0.3, .seconds(1))]

        func timeline(asTransport: Bool) throws -> [String] {
            let events = RecordingEventSink()
            try Simulation.run(seed: 9) { simulation in
                let echo = ScriptedTransport<Int> { input, _ in input }
                let pipeline =
                    asTransport
                    ? try Pipeline(transport: ChaosTransport(over: echo, faults)) {}
                    : try Pipeline(transport: echo) { ChaosInterceptor(faults) }
                for number in 0..<50 {
                    let call = Call(runtime: simulation.runtime, events: events)
                    _ = try? await pipeline.run(number, call: call)
                }
            }
            return events.events.filter { $0.name == .faultInjected }
                .map { "\($0.instant.offset) \($0.attributes["fault"]?.description ?? "")" }
        }

        let asTransport = try timeline(asTransport: true)
        expectTrue(asTransport.count > 20)
        try expectEqual(timeline(asTransport: false), asTransport)
    }

    @Test("a pipeline refuses an invalid rate and an order that hides the faults")
    func validation() {
        let base = ScriptedTransport<HTTP.Request>(replies: [])

        let rate = #expect(throws: PipelineError.self) {
            _ = try Pipeline(transport: base) { ChaosInterceptor([.refused(rate: 2)]) }
        }
        let order = #expect(throws: PipelineError.self) {
            _ = try Pipeline(transport: base) {
                ChaosInterceptor([.refused(rate: 0.1)])
                RetryInterceptor(policy: .standard)
            }
        }

        expectEqual(rate?.code, .invalidSetting)
        expectEqual((rate?.cause as? SettingError)?.setting, "Fault 1 (refused).rate")
        expectEqual(order?.code, .order)
    }
}
