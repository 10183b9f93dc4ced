import InterceptorKit
import InterceptorKitTesting
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
                _ = try await client.send(.get(HTTP.URL(other)))
            }
            return service.transport.sent.map { $0.input.headers["Authorization"] }
        }

        #expect(sent == ["Bearer t0", nil, nil, nil, nil])
    }

    @Test("notes the field it added as a credential")
    func marksField() async throws {
        let fields = try await onEverySeed { simulation in
            let service = TokenService()
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders))
            return service.transport.sent.map(\.call.credentialFields)
        }

        #expect(fields == [["Authorization"]])
    }

    @Test("keeps a field the request already has")
    func callersOwn() async throws {
        let sent = try await onEverySeed { simulation in
            let service = TokenService()
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders, headers: ["authorization": "Bearer mine"]))
            return service.transport.sent.map { $0.input.headers.values("Authorization") }
        }

        #expect(sent == [["Bearer mine"]])
    }

    @Test("renews a rejected credential once and sends the request once more with the new one")
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

        #expect(status == 200)
        #expect(sent == ["Bearer t0", "Bearer t1"])
        #expect(refreshes == 1)
    }

    @Test("renews before sending when the credential is about to expire")
    func expiring() async throws {
        let sent = try await onEverySeed { simulation in
            let service = TokenService(lifetime: 9)
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders))
            return service.transport.sent.map { $0.input.headers["Authorization"] }
        }

        #expect(sent == ["Bearer t1"])
    }

    @Test("uses a credential that is still accepted when renewing it early fails")
    func expiringRenewalFails() async throws {
        let sent = try await onEverySeed { simulation in
            let service = TokenService(lifetime: 9)
            service.failRefreshes(true)
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders))
            return service.transport.sent.map { $0.input.headers["Authorization"] }
        }

        #expect(sent == ["Bearer t0"])
    }

    @Test("sends bare without a credential, and throws where one is required")
    func missing() async throws {
        let (sent, code) = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            let client = try simulation.client(transport) {
                TokenInterceptor(
                    source: RefreshableCredential(renew: { _ in nil }),
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

        #expect(sent == [nil])
        #expect(code == .missingCredential)
    }

    @Test("attaches nothing to a call that asks for none")
    func publicRoute() async throws {
        let sent = try await onEverySeed { simulation in
            let service = TokenService()
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders)) { $0.credentialUse = .none }
            return service.transport.sent.map { $0.input.headers["Authorization"] }
        }

        #expect(sent == [nil])
    }

    @Test("leaves 403 and other failures alone")
    func otherFailures() async throws {
        let refreshes = try await onEverySeed { simulation in
            let service = TokenService()
            service.answerAll(with: 403)
            let client = try simulation.client(service.transport) { service.interceptor() }
            _ = try await client.send(.get(orders))
            return service.refreshes
        }

        #expect(refreshes == 0)
    }

    @Test("does not replay a body that can be sent once")
    func oneShot() async throws {
        let (status, sends) = try await onEverySeed { simulation in
            let service = TokenService()
            service.expire()
            let client = try simulation.client(service.transport) { service.interceptor() }
            let body = HTTP.Body.oneShot(AsyncStream { $0.finish() })
            let status = try await client.send(.post(orders, body: body)).status
            return (status, service.transport.sent.count)
        }

        #expect(status == 401)
        #expect(sends == 1)
    }

    @Test("replays without costing the retry an attempt")
    func replayIsNoRetry() async throws {
        let (status, attempts) = try await onEverySeed { simulation in
            let service = TokenService()
            service.expire()
            let client = try simulation.client(service.transport) {
                RetryInterceptor(policy: .steady)
                service.interceptor()
            }
            let response = try await client.send(.get(orders))
            return (response.status, service.transport.sent.map(\.attempt))
        }

        #expect(status == 200)
        #expect(attempts == [1, 1])
    }

    @Test("takes an expired session inside a 200 for a rejection, given a classifier that does")
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
                    source: RefreshableCredential(initial: { .bearer("stale") }) { _ in
                        .bearer("fresh")
                    },
                    origins: ["https://api.example.com"],
                    classifier: .standard.reading(ResponseEnvelope(), unauthorized: ["4010"])
                )
            }
            return try await client.send(.get(orders)).text()
        }

        #expect(status == #"{"code":0,"data":7}"#)
    }

    @Test("shows no secret of a credential in any description")
    func redaction() {
        let credentials: [Credential] = [
            .bearer("s3cret", refreshToken: "s3cret"), .basic(user: "u", password: "s3cret"),
            .header("X-Api-Key", "s3cret"),
        ]

        for credential in credentials {
            var dumped = ""
            dump(credential, to: &dumped)
            for text in ["\(credential)", String(reflecting: credential), dumped] {
                #expect(!text.contains("s3cret"))
                #expect(!text.contains("czNjcmV0"))
            }
        }
    }
}
