import InterceptorKit
import InterceptorKitTesting
import Testing

/// What the guide says about the order of the chain, shown.
@Suite struct OrderOfTheChainTests {
    private let orders: HTTP.URL = "https://api.example.com/orders"

    @Test("a wrong order is refused with the pair, the consequence and a remedy")
    func refusal() {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])

        let error = #expect(throws: PipelineError.self) {
            let api = try HTTP.Client(transport: transport) {
                SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret"))
                RetryInterceptor(policy: .standard)
            }
            print(api)
        }

        #expect(error?.code == .order)
        #expect(
            error?.message == "RetryInterceptor is inside SignInterceptor: a retried request would "
                + "carry the first attempt's signature and date. Put RetryInterceptor before "
                + "SignInterceptor, or mark the one that is meant to stand there with "
                + "unordered(because:)."
        )
    }

    @Test("two retries of three attempts multiply to nine sends")
    func multiplied() throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }

        try Simulation.run { simulation in
            var policy = RetryPolicy<HTTP.Request>.standard
            policy.maxAttempts = 3
            policy.budget = nil
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                [policy] in
                RetryInterceptor(policy: policy)
                RetryInterceptor(policy: policy)
                    .unordered(because: "the guide counts its outcomes")
            }
            _ = try await pipeline.run(.get(orders))
        }

        #expect(transport.sent.count == 9)
    }

    @Test("each attempt has its own signature unless signing is above the retry")
    func signatures() throws {
        let fresh = try signatures(signingOutside: false)
        let stale = try signatures(signingOutside: true)

        #expect(fresh.count == 4)
        #expect(Set(fresh).count == 4)
        #expect(stale.count == 4)
        #expect(Set(stale).count == 1)
    }

    private func signatures(signingOutside: Bool) throws -> [String?] {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
        let sign = SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret"))
        try Simulation.run { simulation in
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                if signingOutside { sign.unordered(because: "the guide shows the result of it") }
                RetryInterceptor(policy: .standard)
                if !signingOutside { sign }
            }
            _ = try await pipeline.run(.get(orders))
        }
        return transport.sent.map { $0.input.headers["X-Signature"] }
    }

    @Test("an error filter that maps below a retry turns three sends into one")
    func filterInside() throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }

        try Simulation.run { simulation in
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                RetryInterceptor(policy: .standard)
                ErrorFilterInterceptor(map: { _ in Unavailable() })
                    .unordered(because: "the guide counts its outcomes")
            }
            _ = try? await pipeline.run(.get(orders))
        }

        #expect(transport.sent.count == 1)
    }

    @Test("a token above the base URL sees a relative URL and attaches nothing")
    func tokenOutsideBase() throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }

        try Simulation.run { simulation in
            let tokens = TokenInterceptor(
                source: FixedCredentialSource(.bearer("secret")),
                origins: ["https://api.example.com"]
            )
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                tokens.unordered(because: "the guide shows the result of it")
                BaseURLInterceptor("https://api.example.com")
            }
            _ = try await pipeline.run(.get("/orders"))
        }

        #expect(transport.sent.map { $0.input.headers["Authorization"] } == [nil])
    }

    @Test("an added interceptor goes last in its stage, or else above signing")
    func adding() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let pipeline = try Pipeline(transport: transport) {
            ErrorFilterInterceptor()
            RetryInterceptor(policy: .standard)
            SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret"))
        }

        let traced = try pipeline.adding {
            AnyInterceptor("trace") { chain in
                try await chain.proceed { $0.headers["X-Trace"] = "on" }
            }
            BaseURLInterceptor("https://api.example.com")
        }
        print(traced)

        #expect(
            "\(traced)" == """
                input ↓                                   ↑ output
                  │ ErrorFilterInterceptor · error filter
                  │ BaseURLInterceptor · request preparation
                  │ RetryInterceptor · retry
                  │ trace
                  │ SignInterceptor · signing
                  ═ ScriptedTransport
                """
        )
    }
}

private struct Unavailable: Error {}
