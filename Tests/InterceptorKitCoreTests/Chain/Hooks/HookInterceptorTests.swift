import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HookInterceptor")
struct HookInterceptorTests {
    @Test("changes the input in before and the output in after")
    func changes() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            HookInterceptor<Int>(
                before: { input, _ in input += 1 },
                after: { output, input, _ in output = output * 100 + input }
            )
        }

        let output = try await pipeline.run(1)

        expectEqual(output, 202)
    }

    @Test("replaces an error by an output")
    func recovers() async throws {
        let pipeline = try Pipeline(transport: Echo<Int> { _, _ in throw Problem() }) {
            HookInterceptor<Int>(onError: { error, input, _ in error is Problem ? input + 5 : nil })
        }

        let output = try await pipeline.run(1)

        expectEqual(output, 6)
    }

    @Test("rethrows an error that it doesn't handle unchanged")
    func declines() async throws {
        let pipeline = try Pipeline(transport: Echo<Int> { _, _ in throw Problem(text: "mine") }) {
            HookInterceptor<Int>(onError: { _, _, _ in nil })
        }

        await #expect(throws: Problem(text: "mine")) { try await pipeline.run(1) }
    }

    @Test("runs the methods that a type lists as its phases, in order")
    func phases() async throws {
        let recorder = Recorder<String>()
        let sent = try await onEverySeed { simulation in
            let transport = ScriptedTransport(replies: [.status(201)])
            let client = try simulation.client(transport) {
                Tenant(recorder: recorder).hooks
            }
            let response = try await client.send(.get(orders))
            let tenant = transport.sent.map { $0.input.headers["X-Tenant"] ?? "none" }
            return tenant + ["\(response.status.code)", response.headers["X-Seen"] ?? "none"]
        }

        expectEqual(sent, ["acme", "201", "yes"])
        expectEqual(recorder.entries.prefix(4), ["before", "willSend", "didReceive", "after"])
    }

    @Test("has its name in the chain")
    func name() throws {
        let pipeline = try Pipeline(transport: Discarding()) {
            HookInterceptor<HTTP.Request>("audit", placement: .requestPreparation)
        }

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

private struct Tenant {
    let recorder: Recorder<String>

    var hooks: HookInterceptor<HTTP.Request> {
        HookInterceptor(
            "Tenant",
            before: before,
            willSend: willSend,
            didReceive: didReceive,
            after: after
        )
    }

    private func before(_ request: inout HTTP.Request, _ call: inout Call) async throws {
        recorder.note("before")
        request.headers["X-Tenant"] = "acme"
    }

    private func willSend(_ request: HTTP.Request, _ call: Call) async throws {
        recorder.note("willSend")
    }

    private func didReceive(
        _ result: Result<HTTP.Response, any Error>,
        _ request: HTTP.Request,
        _ call: Call
    ) async throws {
        recorder.note("didReceive")
    }

    private func after(
        _ response: inout HTTP.Response,
        _ request: HTTP.Request,
        _ call: Call
    ) async throws {
        recorder.note("after")
        response.headers["X-Seen"] = "yes"
    }
}
