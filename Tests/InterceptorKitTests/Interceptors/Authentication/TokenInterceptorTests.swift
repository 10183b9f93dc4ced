import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("TokenInterceptor")
struct TokenInterceptorTests {
    @Test("attaches the credential to allowed origins only")
    func origins() async throws {
        let sent = try await onEverySeed { simulation in
            let service = TokenService()
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get("https://api.example.com/a"))
            for other in [
                "http://api.example.com/a", "https://api.example.com:8443/a",
                "https://evil.example/a", "https://api.example.com.evil.example/a",
            ] {
                _ = try await client.send(.get(HTTP.URL(unvalidated: other)))
            }
            return service.transport.sent.map { $0.input.headers["Authorization"] }
        }

        expectEqual(sent, ["Bearer t0", nil, nil, nil, nil])
    }

    @Test("marks the field that it adds as a credential")
    func marksField() async throws {
        let fields = try await onEverySeed { simulation in
            let service = TokenService()
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders))
            return service.transport.sent.map(\.call.credentialFields)
        }

        expectEqual(fields, [["Authorization"]])
    }

    @Test("replays no request that carries the caller's own credential field")
    func callersOwnRejected() async throws {
        let (status, sent) = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(401) }
            let client = try simulation.client(transport) {
                TokenInterceptor(
                    source: RefreshableCredentialSource { _ in .bearer("new") },
                    origins: ["https://api.example.com"]
                )
            }
            let request = HTTP.Request.get(orders, headers: ["Authorization": "Bearer mine"])
            let status = try await client.send(request).status
            return (status, transport.sent.map { $0.input.headers.values("Authorization") })
        }

        expectEqual(status, 401)
        expectEqual(sent, [["Bearer mine"]])
    }

    @Test(
        "refreshes nothing after a 401 that another token would not change",
        arguments: [
            (#"Bearer error="insufficient_scope""#, 0), (#"Bearer error="invalid_request""#, 0),
            (#"DPoP error="use_dpop_nonce""#, 0),
            (#"Bearer error="insufficient_user_authentication""#, 0),
            (#"Bearer error="invalid_token""#, 1), ("Bearer", 1),
            (#"Bearer error="insufficient_scope", DPoP error="invalid_token""#, 1),
        ]
    )
    func lastingRefusal(challenge: String, expected: Int) async throws {
        let refreshes = Recorder<Int>()
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(401, headers: ["WWW-Authenticate": challenge])
        }
        let source = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
            refreshes.note(1)
            return .bearer("new")
        }
        let client = try HTTP.Client(transport: transport, runtime: .virtual(clock: VirtualClock()))
        {
            TokenInterceptor(source: source, origins: ["https://api.example.com"])
        }

        let status = try await client.send(.get(orders)).status

        expectEqual(status, 401)
        expectEqual(refreshes.entries.count, expected)
    }

    @Test("refreshes a rejected credential once, and replays the request with it")
    func replays() async throws {
        let (status, sent, refreshes) = try await onEverySeed { simulation in
            let service = TokenService()
            service.expire()
            let client = try simulation.client(service.transport) { service.interceptor() }
            let status = try await client.send(.get(orders)).status
            return (
                status, service.transport.sent.map { $0.input.headers["Authorization"] },
                service.refreshes
            )
        }

        expectEqual(status, 200)
        expectEqual(sent, ["Bearer t0", "Bearer t1"])
        expectEqual(refreshes, 1)
    }

    @Test("refreshes before sending when the credential is about to expire")
    func expiring() async throws {
        let sent = try await onEverySeed { simulation in
            let service = TokenService(lifetime: 9)
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders))
            return service.transport.sent.map { $0.input.headers["Authorization"] }
        }

        expectEqual(sent, ["Bearer t1"])
    }

    @Test("refreshes a credential near its end in the background, and sends it")
    func nearEnd() async throws {
        let (sent, elapsed) = try await onEverySeed { simulation in
            let gate = Gate("refresh")
            let service = TokenService(refreshGate: gate, lifetime: 40)
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders))
            _ = try await client.send(.get(orders))
            let elapsed = simulation.now.offset
            gate.open()
            try await simulation.runtime.sleep(for: .seconds(1))
            _ = try await client.send(.get(orders))
            return (service.transport.sent.map { $0.input.headers["Authorization"] }, elapsed)
        }

        expectEqual(sent, ["Bearer t0", "Bearer t0", "Bearer t1"])
        expectEqual(elapsed, .milliseconds(10))
    }

    @Test("uses a credential that is still accepted when an early refresh fails")
    func expiringRefreshFails() async throws {
        let sent = try await onEverySeed { simulation in
            let service = TokenService(lifetime: 9)
            service.failRefreshes(true)
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders))
            return service.transport.sent.map { $0.input.headers["Authorization"] }
        }

        expectEqual(sent, ["Bearer t0"])
    }

    @Test("sends no credential without one, and throws where one is required")
    func missing() async throws {
        let (sent, code) = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            let client = try simulation.client(transport) {
                TokenInterceptor(
                    source: RefreshableCredentialSource(refresh: { _ in nil }),
                    origins: ["https://api.example.com"]
                )
            }
            _ = try await client.send(.get(orders))
            var code: TokenError.Code?
            do {
                _ = try await client.send(.get(orders)) { $0.credentialUse = .required }
            } catch let error as TokenError {
                code = error.code
            }
            return (transport.sent.map { $0.input.headers["Authorization"] }, code)
        }

        expectEqual(sent, [nil])
        expectEqual(code, .missingCredential)
    }

    @Test("refuses an expired credential where one is required, and else sends it")
    func expired() async throws {
        let (sent, codes, asked) = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            let asked = Recorder<Bool>()
            let old = Credential.bearer("over", expiresAt: Simulation.startDate)
            let source = RefreshableCredentialSource(initial: { old }) { _ in
                asked.note(true)
                return nil
            }
            let client = try simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            var codes: [TokenError.Code?] = []
            for use in [CredentialUse.required, .automatic, .required] {
                do {
                    _ = try await client.send(.get(orders)) { $0.credentialUse = use }
                } catch let error as TokenError {
                    codes.append(error.code)
                }
            }
            let sent = transport.sent.map { $0.input.headers["Authorization"] }
            return (sent, codes, asked.entries.count)
        }

        expectEqual(sent, ["Bearer over"])
        expectEqual(codes, [.expiredCredential, .expiredCredential])
        // Once for each call that requires another.
        expectEqual(asked, 2)
    }

    @Test("attaches nothing to a call that opts out")
    func publicRoute() async throws {
        let sent = try await onEverySeed { simulation in
            let service = TokenService()
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders)) { $0.credentialUse = .none }
            return service.transport.sent.map { $0.input.headers["Authorization"] }
        }

        expectEqual(sent, [nil])
    }

    @Test(
        "doesn't refresh for insufficient scope or other failures",
        arguments: [403, 400, 404, 500]
    )
    func otherFailures(code: Int) async throws {
        let (refreshes, status) = try await onEverySeed { simulation in
            let service = TokenService()
            service.answerAll(with: HTTP.Status(code))
            let client = try simulation.client(service.transport) { service.interceptor() }
            let status = try await client.send(.get(orders)).status
            return (service.refreshes, status)
        }

        expectEqual(refreshes, 0)
        expectEqual(status, HTTP.Status(code))
    }

    @Test("returns a rejection to the caller if there is no other credential")
    func noOther() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(401)])
        let client = try HTTP.Client(transport: transport, runtime: .virtual(clock: VirtualClock()))
        {
            TokenInterceptor(
                source: FixedCredentialSource(.bearer("only")),
                origins: ["https://api.example.com"]
            )
        }

        try await expectEqual(client.send(.get(orders)).status, 401)
        expectEqual(transport.sent.count, 1)
    }

    @Test("doesn't replay a one-shot body, but refreshes for the next request")
    func oneShot() async throws {
        let (statuses, sent) = try await onEverySeed { simulation in
            let service = TokenService()
            service.expire()
            let client = try simulation.client(service.transport) { service.interceptor() }
            var statuses: [HTTP.Status] = []
            for _ in 0..<2 {
                let body = HTTP.Body.oneShot(AsyncStream { $0.finish() })
                statuses.append(try await client.send(.post(orders, body: body)).status)
            }
            return (statuses, service.transport.sent.map { $0.input.headers["Authorization"] })
        }

        expectEqual(statuses, [401, 200])
        expectEqual(sent, ["Bearer t0", "Bearer t1"])
    }

    @Test("refreshes on a 200 that its classifier reads as unauthorized")
    func envelope() async throws {
        let status = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                let isFresh = request.headers["Authorization"] == "Bearer fresh"
                let text = isFresh ? #"{"code":0,"data":7}"# : #"{"code":4010,"message":"expired"}"#
                return HTTP.Response(
                    200,
                    headers: ["Content-Type": "application/json"],
                    body: .text(text)
                )
            }
            let client = try simulation.client(transport) {
                TokenInterceptor(
                    source: RefreshableCredentialSource(initial: { .bearer("stale") }) { _ in
                        .bearer("fresh")
                    },
                    origins: ["https://api.example.com"],
                    classifier: .standard.reading(HTTP.ResponseEnvelope(unauthorized: ["4010"]))
                )
            }
            return try await client.send(.get(orders)).text()
        }

        expectEqual(status, #"{"code":0,"data":7}"#)
    }
}
