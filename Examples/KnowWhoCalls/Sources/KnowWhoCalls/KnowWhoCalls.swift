import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitCurl
import InterceptorKitJWT
import InterceptorKitLoopback

/// A service that verifies the tokens of an issuer whose keys rotate, and tells its callers apart.
@main
struct KnowWhoCalls {
    let issuer: Issuer
    let service: HTTP.Client
    let log: Refusals

    static func main() async throws {
        let issuer = Issuer()
        await issuer.rotate()
        let server = try LoopbackServer { await issuer.answer($0) }
        await issuer.listen(at: server.origin)

        let transport = try CurlTransport()
        let keys = try JSONWebKeySet(
            issuer: "\(server.origin)",
            over: HTTP.Client(transport: transport) {}
        )
        let verifier = JSONWebTokenVerifier(
            issuer: "\(server.origin)",
            audience: ["https://notes.example.com"],
            keys: keys,
            algorithms: ["ES256"]
        )
        let log = Refusals()
        let service = try Service(verifier, events: log)

        let endpoint = TokenEndpoint(
            server.url("/token"),
            client: .basic(id: "notebook", secret: Issuer.secret),
            pipeline: try Pipeline(transport: transport) {}
        )
        let notebook = try HTTP.Client(transport: service) {
            BaseURLInterceptor("https://notes.example.com")
            TokenInterceptor(
                source: ClientCredentialsSource(at: endpoint),
                origins: ["https://notes.example.com"]
            )
        }
        let plain = try HTTP.Client(transport: service) {
            BaseURLInterceptor("https://notes.example.com")
        }
        let demo = KnowWhoCalls(issuer: issuer, service: plain, log: log)

        print("1. Without a token, and with one from the issuer")
        try await show(plain.send(.get("/notes")))
        try await show(notebook.send(.get("/notes")))

        print("2. The issuer rotates its key; twenty new callers at once")
        await issuer.rotate()
        print(
            "   answered: \(try await demo.callers(20)), fetches of keys: \(await issuer.fetches)"
        )

        print("3. A valid token that lacks the scope")
        try await demo.get("bob", issuer.token(for: "bob", scope: "notes:list"))

        print("4. Tokens that are not valid: the callers are told the same, the log is not")
        let token = try await issuer.token(for: "bob")
        try await demo.get("changed", String(token.dropLast(9)) + "AAAAAAAAA")
        try await demo.get("for another", issuer.token(for: "bob", audience: "https://x.example"))
        try await demo.get("expired", issuer.token(for: "bob", lifetime: -600))

        print("5. Three calls for each caller, who has not used up another's")
        for _ in 1...4 { try await demo.get("carol", issuer.token(for: "carol")) }
        try await demo.get("dave", issuer.token(for: "dave"))

        print("6. The issuer is away: what nobody can tell is neither accepted nor refused")
        server.stop()
        try await demo.get("known key", issuer.token(for: "erin"))
        await issuer.rotate()
        try await demo.get("new key", issuer.token(for: "erin"))
    }

    /// Sends a request with a token.
    private func get(_ name: String, _ token: String) async throws {
        let response = try await send(token)
        let reason = response.status == 401 ? " (log: \(log.last))" : ""
        print("   \(name): ", terminator: "")
        try await Self.show(response, note: reason, indent: "")
    }

    private func send(_ token: String) async throws -> HTTP.Response {
        try await service.send(.get("/notes", headers: ["Authorization": "Bearer \(token)"]))
    }

    /// Returns how many of some callers, each with its own token, were answered.
    private func callers(_ count: Int) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...count {
                group.addTask {
                    let token = try await issuer.token(for: "caller-\(number)")
                    return try await send(token).status == 200
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    private static func show(
        _ response: HTTP.Response,
        note: String = "",
        indent: String = "   "
    ) async throws {
        let challenge = response.headers["WWW-Authenticate"] ?? ""
        let text = response.status == 200 ? try await response.text() : challenge
        print("\(indent)\(response.status)\(text.isEmpty ? "" : ": ")\(text)\(note)")
    }
}
