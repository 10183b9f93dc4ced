import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("TokenInterceptor, signing in and out")
struct TokenSessionTests {
    @Test("continues with the credential of a sign-in during the refresh")
    func signIn() async throws {
        let sent = try await onEverySeed(0..<100) { simulation in
            let session = try await RefreshedSession(simulation)
            session.service.accept("other user")
            try await session.tokens.signIn(with: .bearer("other user"))
            _ = try await session.waiting.value
            try await session.endRefreshes()
            session.service.accept("other user")
            _ = try await session.client.send(.get(orders))
            return session.sent
        }

        expectEqual(sent, ["Bearer t0", "Bearer other user", "Bearer other user"])
    }

    @Test("replays with the credential of a sign-in during the rejection")
    func signInBeforeReplay() async throws {
        let sent = try await onEverySeed(0..<100) { simulation in
            let runtime = simulation.runtime
            let stalled = AsyncThrowingStream<Data, any Error>(unfolding: {
                try await runtime.sleep(for: .seconds(3600))
                return nil
            })
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(401, body: .oneShot(stalled)), .status(200),
            ])
            let source = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
                .bearer("new")
            }
            let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])
            let client = try simulation.client(transport) { tokens }
            let call = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            try await runtime.sleep(for: .milliseconds(50))
            try await tokens.signIn(with: .bearer("signed in"))
            _ = try await call.value
            return transport.sent.map { $0.input.headers["Authorization"] }
        }

        expectEqual(sent, ["Bearer old", "Bearer signed in"])
    }

    @Test("reports the end of a session once, and sends none until a sign-in")
    func sessionEnd() async throws {
        let (names, sent, codes) = try await onEverySeed(0..<20) { simulation in
            let events = RecordingEventSink()
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer next" ? 200 : 401)
            }
            let source = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
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

        expectEqual(names, [.refreshStarted, .sessionEnded])
        expectEqual(sent, ["Bearer old", nil, "Bearer next"])
        expectEqual(codes, Array(repeating: .signInRequired, count: 3))
    }

    @Test("keeps its credential after a sign-in with an invalid one")
    func invalidSignIn() async throws {
        let service = TokenService()
        let tokens = service.interceptor()
        let client = try HTTP.Client(transport: service.transport, timeout: nil) { tokens }

        let error = await #expect(throws: TokenError.self) {
            try await tokens.signIn(with: .bearer("t0\r\nX-Admin: 1"))
        }
        _ = try await client.send(.get(orders))

        expectEqual(error?.code, .invalidCredential)
        expectEqual(service.transport.sent.map { $0.input.headers["Authorization"] }, ["Bearer t0"])
    }

    @Test("lets a source sign in during its own refresh")
    func signInWithin() async throws {
        let sent = try await onEverySeed(0..<100) { simulation in
            let box = Recorder<TokenInterceptor>()
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer old" ? 401 : 200)
            }
            let source = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
                try await box.entries[0].signIn(with: .bearer("signed in"))
                return .bearer("refreshed")
            }
            let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])
            box.note(tokens)
            let client = try simulation.client(transport) { tokens }
            _ = try await client.send(.get(orders))
            _ = try await client.send(.get(orders))
            return transport.sent.map { $0.input.headers["Authorization"] }
        }

        expectEqual(sent, ["Bearer old", "Bearer signed in", "Bearer signed in"])
    }
}

/// A session whose only call so far was rejected, and waits for a refresh that the gate holds.
private struct RefreshedSession {
    let simulation: Simulation
    let gate = Gate("refresh")
    let service: TokenService
    let tokens: TokenInterceptor
    let client: HTTP.Client
    let waiting: Task<HTTP.Status, any Error>

    init(_ simulation: Simulation) async throws {
        self.simulation = simulation
        let service = TokenService(refreshGate: gate)
        service.expire()
        let tokens = service.interceptor()
        let client = try simulation.client(service.transport) { tokens }
        self.service = service
        self.tokens = tokens
        self.client = client
        waiting = Task.child(in: simulation) { try await client.send(.get(orders)).status }
        try await gate.waitForArrivals(1)
    }

    /// The field of each request, in order.
    var sent: [String?] { service.transport.sent.map { $0.input.headers["Authorization"] } }

    /// Lets refreshes come to their end.
    func endRefreshes() async throws {
        gate.open()
        try await simulation.runtime.sleep(for: .seconds(1))
    }
}
