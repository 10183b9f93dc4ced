import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HookPlugin")
struct HookPluginTests {
    @Test("runs its phases in order, and its first may change the request")
    func phases() async throws {
        let recorder = Recorder<String>()
        let sent = try await onEverySeed { simulation in
            let transport = ScriptedTransport(replies: [.status(201)])
            let client = try simulation.client(transport) {
                HookInterceptor(Tenant(recorder: recorder))
            }
            let response = try await client.send(.get(orders))
            let tenant = transport.sent.map { $0.input.headers["X-Tenant"] ?? "none" }
            return tenant + ["\(response.status.code)", response.headers["X-Seen"] ?? "none"]
        }

        expectEqual(sent, ["acme", "201", "yes"])
        expectEqual(recorder.entries.prefix(4), ["before", "willSend", "didReceive", "after"])
    }

    @Test("is named after its type in the chain")
    func name() throws {
        let pipeline = try Pipeline(transport: Discarding()) {
            HookInterceptor(Tenant(recorder: Recorder()))
            HookInterceptor<HTTP.Request>("audit", placement: .requestPreparation)
        }

        expectTrue(pipeline.description.contains("Tenant"))
        expectTrue(pipeline.description.contains("audit"))
    }

    @Test("changes the call for what is below, and for nothing above")
    func call() async throws {
        let ids = try await onEverySeed { simulation in
            let transport = ScriptedTransport(replies: [.status(200)])
            let client = try simulation.client(transport) {
                HookInterceptor<HTTP.Request>(before: { _, call in call.isIdempotent = true })
            }
            _ = try await client.send(.post(orders))
            return transport.sent.map(\.call.isIdempotent)
        }

        expectEqual(ids, [true])
    }
}

private struct Tenant: HookPlugin {
    let recorder: Recorder<String>

    func before(_ request: inout HTTP.Request, _ call: inout Call) async throws {
        recorder.note("before")
        request.headers["X-Tenant"] = "acme"
    }

    func willSend(_ request: HTTP.Request, _ call: Call) async throws {
        recorder.note("willSend")
    }

    func didReceive(
        _ result: Result<HTTP.Response, any Error>,
        _ request: HTTP.Request,
        _ call: Call
    ) async throws {
        recorder.note("didReceive")
    }

    func after(
        _ response: inout HTTP.Response,
        _ request: HTTP.Request,
        _ call: Call
    ) async throws {
        recorder.note("after")
        response.headers["X-Seen"] = "yes"
    }
}
