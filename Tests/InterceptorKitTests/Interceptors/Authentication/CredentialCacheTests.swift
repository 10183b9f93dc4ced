import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CredentialCache")
struct CredentialCacheTests {
    @Test("lists in a deadlock who waits for a refresh, and for what it waits")
    func waiters() throws {
        let error = #expect(throws: SimulationError.self) {
            try Simulation.run { simulation in
                let endpoint = Gate("token endpoint")
                let source = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
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

        let pending = try unwrap(error?.pending)
        let waits = pending.filter { $0.contains("waits for a credential refresh for call ") }
        expectEqual(error?.code, .deadlock)
        expectEqual(waits.map { $0.prefix { $0 != "w" } }, ["task 2 "])
        expectTrue(
            pending.contains("\"credential refresh\" is held at the gate \"token endpoint\"")
        )
    }

    @Test("lets a call rejected late use a newer credential without waiting")
    func atOnce() throws {
        let waits = try Simulation.run { simulation in
            let sink = RecordingEventSink()
            let source = RefreshableCredentialSource(initial: { .bearer("t0") }) { _ in
                .bearer("t1")
            }
            let transport = ScriptedTransport<HTTP.Request> { request, call in
                let isOld = request.headers["Authorization"] == "Bearer t0"
                if request.url.path == "/slow" { try await call.runtime.sleep(for: .seconds(1)) }
                return HTTP.Response(isOld && request.url.path != "/first" ? 401 : 200)
            }
            let client = try simulation.client(transport, events: sink) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            _ = try await client.send(.get("https://api.example.com/first"))
            let slow = Task.child(in: simulation) {
                try await client.send(.get("https://api.example.com/slow")).status
            }
            try await simulation.runtime.sleep(for: .milliseconds(1))

            _ = try await client.send(.get(orders))
            _ = try await slow.value

            return sink.names.count { $0 == .waitBegan }
        }

        // For the first credential, and for the refresh by the call that was rejected first.
        expectEqual(waits, 2)
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
