import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("CredentialVault")
struct CredentialVaultTests {
    @Test("a deadlock report names who waits for a renewal, and what the renewal waits for")
    func waiters() throws {
        let error = #expect(throws: SimulationError.self) {
            try Simulation.run { simulation in
                let endpoint = Gate("token endpoint")
                let source = RefreshableCredential(initial: { .bearer("old") }) { _ in
                    try await endpoint.pass()
                    return .bearer("new")
                }
                let client = try HTTP.Client(
                    transport: ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(401) },
                    timeout: nil,
                    runtime: simulation.runtime.withoutSleep
                ) {
                    TokenInterceptor(source: source, origins: ["https://api.example.com"])
                }
                _ = try await client.send(.get(orders))
            }
        }

        let pending = try #require(error?.pending)
        let waits = pending.filter { $0.contains("waits for a credential renewal for call ") }
        #expect(error?.code == .deadlock)
        #expect(waits.map { $0.prefix { $0 != "w" } } == ["task 2 (of 1) "])
        #expect(
            pending.contains("\"credential renewal\" is held at the gate \"token endpoint\"")
        )
    }

    @Test("a call waits for nothing once there is a credential that is good")
    func atOnce() throws {
        let waits = try Simulation.run { simulation in
            let sink = RecordingEventSink()
            let source = FixedCredential(.bearer("t0"))
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
            let client = try simulation.client(transport, events: sink) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }

            var waits: [Int] = []
            for _ in 0..<2 {
                _ = try await client.send(.get(orders))
                waits.append(sink.names.count { $0 == .waitBegan })
            }
            return waits
        }

        #expect(waits == [1, 1])
    }
}

extension Runtime {
    /// This runtime with sleeps that never end, so that time limits do not end a deadlock.
    fileprivate var withoutSleep: Runtime {
        Runtime(
            now: { self.now },
            date: { self.date },
            sleep: { _ in try await Gate("time").pass() },
            random: { self.random() },
            identifier: { self.identifier() },
            start: { name, operation in self.start(name, operation) },
            waits: { what in self.beginWait(what()) ?? Wait {} }
        )
    }
}
