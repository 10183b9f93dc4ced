import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("TokenInterceptor, signing in and out")
struct TokenSessionTests {
    @Test("discards a renewal's result after a sign-out, and later calls go out bare")
    func signOut() async throws {
        let sent = try await onEverySeed(0..<100) { simulation in
            let gate = Gate("refresh")
            let service = TokenService(refreshGate: gate)
            service.expire()
            let tokens = service.interceptor()
            let client = try simulation.client(service.transport) { tokens }
            let waiting = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            try await gate.waitForArrivals(1)
            try await tokens.signOut()
            _ = await waiting.result
            gate.open()
            try await simulation.runtime.sleep(for: .seconds(1))
            _ = try await client.send(.get(orders)) { $0.credentialUse = .automatic }
            return service.transport.sent.map { $0.input.headers["Authorization"] }
        }

        #expect(sent == ["Bearer t0", nil])
    }

    @Test("keeps a renewal that was overtaken from ending the one that followed")
    func overtakenRenewal() async throws {
        let (status, sent) = try await onEverySeed(0..<100) { simulation in
            let gate = Gate("refresh")
            let service = TokenService(refreshGate: gate)
            service.expire()
            let tokens = service.interceptor()
            let client = try simulation.client(service.transport) { tokens }
            let first = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            try await gate.waitForArrivals(1)
            try await tokens.signIn(with: .bearer("other"))
            _ = await first.result
            let second = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            try await gate.waitForArrivals(2)
            gate.release(1)
            try await simulation.runtime.sleep(for: .seconds(1))
            gate.release(1)
            let status = try await second.value
            return (status, service.transport.sent.map { $0.input.headers["Authorization"] })
        }

        #expect(status == 200)
        #expect(sent == ["Bearer t0", "Bearer other", "Bearer other", "Bearer t2"])
    }

    @Test("goes on with the credential of a sign-in that came between")
    func signIn() async throws {
        let sent = try await onEverySeed(0..<100) { simulation in
            let gate = Gate("refresh")
            let service = TokenService(refreshGate: gate)
            service.expire()
            let tokens = service.interceptor()
            let client = try simulation.client(service.transport) { tokens }
            let waiting = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            try await gate.waitForArrivals(1)
            service.accept("other user")
            try await tokens.signIn(with: .bearer("other user"))
            _ = try await waiting.value
            gate.open()
            try await simulation.runtime.sleep(for: .seconds(1))
            service.accept("other user")
            _ = try await client.send(.get(orders))
            return service.transport.sent.map { $0.input.headers["Authorization"] }
        }

        #expect(sent == ["Bearer t0", "Bearer other user", "Bearer other user"])
    }

    @Test("reports the end of a session once, and goes bare until a sign-in")
    func sessionEnd() async throws {
        let (names, sent, codes) = try await onEverySeed(0..<20) { simulation in
            let events = RecordingEventSink()
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer next" ? 200 : 401)
            }
            let source = RefreshableCredential(initial: { .bearer("old") }) { _ in
                throw TokenError(.signInRequired, "The refresh token was revoked.")
            }
            let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])
            let client = try simulation.client(transport, events: events) { tokens }
            var codes: [TokenError.Code?] = []
            for use in [CredentialUse.automatic, .automatic, .required] {
                do {
                    _ = try await client.send(.get(orders)) { $0.credentialUse = use }
                } catch let error as TokenError {
                    codes.append(error.code)
                }
            }
            try await tokens.signIn(with: .bearer("next"))
            _ = try await client.send(.get(orders))
            let names = events.names.filter { $0 == .sessionEnded || $0 == .refreshStarted }
            return (names, transport.sent.map { $0.input.headers["Authorization"] }, codes)
        }

        #expect(names == [.refreshStarted, .sessionEnded])
        #expect(sent == ["Bearer old", nil, "Bearer next"])
        #expect(codes == Array(repeating: .signInRequired, count: 3))
    }

    @Test("changes nothing when someone signs in with what cannot be sent")
    func invalidSignIn() async throws {
        let service = TokenService()
        let tokens = service.interceptor()
        let client = try HTTP.Client(transport: service.transport) { tokens }

        let error = await #expect(throws: TokenError.self) {
            try await tokens.signIn(with: .bearer("t0\r\nX-Admin: 1"))
        }
        _ = try await client.send(.get(orders))

        #expect(error?.code == .invalidCredential)
        #expect(service.transport.sent.map { $0.input.headers["Authorization"] } == ["Bearer t0"])
    }

    @Test("lets a source sign in from within its own renewal")
    func signInWithin() async throws {
        let sent = try await onEverySeed(0..<100) { simulation in
            let box = Recorder<TokenInterceptor>()
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer old" ? 401 : 200)
            }
            let source = RefreshableCredential(initial: { .bearer("old") }) { _ in
                try await box.entries[0].signIn(with: .bearer("signed in"))
                return .bearer("renewed")
            }
            let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])
            box.note(tokens)
            let client = try simulation.client(transport) { tokens }
            _ = try await client.send(.get(orders))
            _ = try await client.send(.get(orders))
            return transport.sent.map { $0.input.headers["Authorization"] }
        }

        #expect(sent == ["Bearer old", "Bearer signed in", "Bearer signed in"])
    }
}
