import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HTTP.Client, with an envelope")
struct ClientEnvelopeTests {
    private let envelope = HTTP.ResponseEnvelope(unauthorized: [4001], transient: [5001])
    private let busy = ScriptStep<HTTP.Request>.json(#"{"code":5001,"message":"busy"}"#)
    private let expired = ScriptStep<HTTP.Request>.json(#"{"code":4001,"message":"expired"}"#)
    private let done = ScriptStep<HTTP.Request>.json(#"{"code":0}"#)
    private let soldOut = ScriptStep<HTTP.Request>.json(#"{"code":7,"message":"sold out"}"#)

    private func tokens() -> RefreshableCredentialSource {
        RefreshableCredentialSource(initial: { .bearer("old") }) { _ in .bearer("new") }
    }

    @Test("gives it to retry, token and error filter")
    func everyInterceptor() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [busy, expired, done, soldOut])

        let error = try Simulation.run { simulation in
            let client = try HTTP.Client(
                transport: transport,
                runtime: simulation.runtime,
                envelope: envelope
            ) {
                ErrorFilterInterceptor()
                RetryInterceptor()
                TokenInterceptor(source: tokens(), origins: ["https://api.example.com"])
            }
            _ = try await client.send(.get("https://api.example.com/a"))
            return await #expect(throws: ResponseError.self) {
                try await client.send(.get("https://api.example.com/b"))
            }
        }

        let sent = transport.sent.map { $0.input.headers["Authorization"] }
        expectEqual(sent, ["Bearer old", "Bearer old", "Bearer new", "Bearer new"])
        expectEqual(error?.businessCode, "7")
    }

    @Test(
        "decodes the content, by response and endpoint, also without a filter",
        arguments: [false, true]
    )
    func content(isFiltered: Bool) async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .json(#"{"code":0,"data":[7]}"#), .json(#"{"code":0,"data":[7]}"#), .json("[7]"),
            .json(#"{"id":[7]}"#), .json(#"{"code":0,"data":[7]}"#),
        ])
        let client = try HTTP.Client(
            transport: transport,
            timeout: nil,
            envelope: isFiltered ? nil : envelope
        ) {
            if isFiltered { ErrorFilterInterceptor(envelope: envelope) }
        }
        let endpoint = HTTP.Endpoint<[Int]>(.get, "https://api.example.com/a", decoder: .json)
        let request = HTTP.Request.get("https://api.example.com/a")

        try await expectEqual(client.send(request).decode([Int].self), [7])
        try await expectEqual(client.call(endpoint), [7])
        try await expectEqual(client.send(request).decode([Int].self), [7])
        try await expectEqual(client.send(request).decode([String: [Int]].self), ["id": [7]])
        let whole = try await client.send(request).decode([String: JSONValue].self, in: nil)
        expectEqual(whole.count, 2)
    }

    @Test("gives it to the standard chain and to a client from settings")
    func standardChains() throws {
        var settings = HTTP.Client.Settings(baseURL: "https://api.example.com")
        settings.envelope = envelope

        let attempts = try Simulation.run { [settings] simulation in
            let first = ScriptedTransport<HTTP.Request>(replies: [busy, done])
            let second = ScriptedTransport<HTTP.Request>(replies: [busy, done])
            let standard = try HTTP.Client.standard(
                transport: first,
                runtime: simulation.runtime,
                envelope: envelope
            )
            let client = try HTTP.Client(
                settings,
                transport: second,
                runtime: simulation.runtime
            )
            let responses = [
                try await standard.send(.get("https://api.example.com/a")),
                try await client.send(.get("/a")),
            ]
            return responses.map { $0.attempts.map(\.reason) }
        }

        expectEqual(attempts, [["code 5001", "success"], ["code 5001", "success"]])
    }

    @Test("leaves an interceptor that has a classifier of its own alone")
    func ownClassifier() throws {
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.classifier = .standard
        let transport = ScriptedTransport<HTTP.Request>(replies: [busy])

        let attempts = try Simulation.run { [policy] simulation in
            let client = try HTTP.Client(
                transport: transport,
                runtime: simulation.runtime,
                envelope: envelope
            ) { RetryInterceptor(policy: policy) }
            return try await client.send(.get("https://api.example.com/a")).attempts.count
        }

        expectEqual(attempts, 1)
    }

    @Test("classifies by the client's classifier where the envelope says nothing")
    func clientClassifier() throws {
        let classifier = OutcomeClassifier<HTTP.Request>.standard.preceded {
            $0.response?.status == 409 ? .transient("409, which resolves itself") : nil
        }
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(409), busy, done])

        let reasons = try Simulation.run { simulation in
            let client = try HTTP.Client(
                transport: transport,
                runtime: simulation.runtime,
                envelope: envelope,
                classifier: classifier
            ) { RetryInterceptor() }
            let response = try await client.send(.get("https://api.example.com/a"))
            return response.attempts.map(\.reason)
        }

        expectEqual(reasons, ["409, which resolves itself", "code 5001", "success"])
    }

    @Test("lets one call have another classifier")
    func oneCall() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(404), done])

        let attempts = try Simulation.run { simulation in
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                RetryInterceptor()
            }
            let response = try await client.send(.get("https://api.example.com/a")) { call in
                call[OutcomeClassifier<HTTP.Request>.self] = OutcomeClassifier { outcome in
                    outcome.response?.status == 404 ? .transient("not there yet") : .success
                }
            }
            return response.attempts.count
        }

        expectEqual(attempts, 2)
    }
}
