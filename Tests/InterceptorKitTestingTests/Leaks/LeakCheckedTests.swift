import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("requireNoLeaks")
struct LeakCheckedTests {
    @Test("throws one error that lists what is left in each thing, in order")
    func lists() throws {
        let error = try Simulation.run { simulation in
            let gate = Gate("orders")
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                if request.method == .put { try await gate.pass() }
                return HTTP.Response(body: .oneShot(AsyncStream { $0.finish() }))
            }
            let client = try HTTP.Client(
                transport: transport,
                timeout: nil,
                runtime: simulation.runtime
            ) {}
            let unread = try await client.send(.get("https://a.example/"))
            let held = simulation.runtime.start("held") {
                _ = try? await client.send(.put("https://a.example/", body: "x"))
            }
            try await gate.waitForArrivals(1)

            let error = #expect(throws: TestKitError.self) {
                try requireNoLeaks(in: client, gate)
            }
            gate.open()
            await held.value
            _ = try await unread.body.collect()
            return error
        }

        expectEqual(error?.leaks.first, "1 calls of a client under way")
        expectEqual(error?.leaks.contains("1 bodies of a client's responses unread"), true)
        expectEqual(error?.leaks.last, "1 held at the gate \"orders\"")
        expectEqual(error?.description.hasSuffix("\n- 1 held at the gate \"orders\""), true)
    }

    @Test("throws nothing where all is done, or nothing is named")
    func clean() throws {
        try requireNoLeaks()

        #expect(throws: Never.self) { try requireNoLeaks(in: Gate(), VirtualClock()) }
    }
}
