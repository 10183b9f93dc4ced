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
}
