import Expectations
import InterceptorKit
import InterceptorKitFaults
import InterceptorKitTesting
import Testing

@Suite("FaultInjectionInterceptor")
struct FaultInjectionInterceptorTests {
    private let target: HTTP.Request = .get("https://a.example/orders")

    private func client(
        _ faults: FaultSwitch,
        header: (name: String, value: String)? = nil,
        runtime: Runtime = .live
    ) throws -> HTTP.Client {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        return try HTTP.Client(transport: transport, runtime: runtime) {
            FaultInjectionInterceptor([.status(503, rate: 1)], switch: faults, header: header)
        }
    }

    @Test("injects nothing before the switch is turned on and after its time")
    func time() throws {
        let statuses = try Simulation.run(seed: 1) { simulation in
            let faults = FaultSwitch()
            let client = try client(faults, runtime: simulation.runtime)
            var statuses = [try await client.send(target).status]
            faults.turnOn(for: .seconds(10), on: simulation.runtime)
            statuses.append(try await client.send(target).status)
            try await simulation.runtime.sleep(for: .seconds(10))
            statuses.append(try await client.send(target).status)
            return statuses
        }

        expectEqual(statuses, [200, 503, 200])
    }

    @Test("injects nothing after the switch is turned off")
    func off() async throws {
        let faults = FaultSwitch()
        let client = try client(faults)
        faults.turnOn(for: .seconds(60))

        faults.turnOff()

        try await expectEqual(client.send(target).status, 200)
        expectTrue(!faults.isOn())
    }

    @Test("hits only requests with the header")
    func header() async throws {
        let faults = FaultSwitch()
        let client = try client(faults, header: ("X-Experiment", "a"))
        faults.turnOn(for: .seconds(60))

        var statuses: [HTTP.Status] = []
        for value in [nil, "b", "a"] {
            var request = target
            request.headers["X-Experiment"] = value
            statuses.append(try await client.send(request).status)
        }

        expectEqual(statuses, [200, 200, 503])
    }

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
                FaultInjectionInterceptor([.refused(rate: 0.2), .status(503, rate: 0.2)])
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
        expectTrue(injected.allSatisfy { $0.source == "FaultInjectionInterceptor" })
        expectTrue(events.names.count { $0 == .retryScheduled } > 5)
        expectTrue(statuses.count { $0 == 200 } > 15)
    }

    @Test("a pipeline refuses an invalid rate and an order that hides the faults")
    func validation() {
        let base = ScriptedTransport<HTTP.Request>(replies: [])

        let rate = #expect(throws: PipelineError.self) {
            _ = try Pipeline(transport: base) { FaultInjectionInterceptor([.refused(rate: 2)]) }
        }
        let order = #expect(throws: PipelineError.self) {
            _ = try Pipeline(transport: base) {
                FaultInjectionInterceptor([.refused(rate: 0.1)])
                RetryInterceptor(policy: .standard)
            }
        }

        expectEqual(rate?.code, .invalidSetting)
        expectEqual((rate?.cause as? SettingError)?.setting, "Fault 1 (refused).rate")
        expectEqual(order?.code, .order)
    }
}
