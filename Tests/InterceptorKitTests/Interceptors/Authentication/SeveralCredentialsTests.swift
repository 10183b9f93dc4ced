import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("TokenInterceptor, several in one client")
struct SeveralCredentialsTests {
    private static let user: [HTTP.Origin] = ["https://api.example.com"]
    private static let admin: [HTTP.Origin] = [
        "https://api.example.com", "https://admin.example.com",
    ]

    /// Sends a request past two interceptors, and says what was sent and which sources were asked.
    private func sent(
        _ url: HTTP.URL = orders,
        user: Credential? = .bearer("user"),
        admin: Credential? = .header("X-Admin", "admin"),
        answer: @escaping @Sendable (HTTP.Request) -> HTTP.Response = { _ in HTTP.Response(200) },
        configure: @escaping @Sendable (inout Call) -> Void = { _ in }
    ) async throws -> (sent: [String], asked: [String]) {
        try await onEverySeed(0..<20) { simulation in
            let asked = Recorder<String>()
            func source(_ name: String, _ credential: Credential?) -> RefreshableCredentialSource {
                RefreshableCredentialSource(initial: { credential }) { _ in
                    asked.note(name)
                    return .header("X-\(name)", "new")
                }
            }
            let transport = ScriptedTransport<HTTP.Request> { request, _ in answer(request) }
            let client = try simulation.client(transport) {
                TokenInterceptor("user", source: source("user", user), origins: Self.user)
                TokenInterceptor("admin", source: source("admin", admin), origins: Self.admin)
            }
            _ = try await client.send(.get(url), configure: configure)
            let sent = transport.sent.map { entry in
                entry.input.headers.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
            }
            return (sent, asked.entries)
        }
    }

    private static let rejection: @Sendable (HTTP.Request) -> HTTP.Response = { _ in
        HTTP.Response(401)
    }

    @Test("gives each origin its own credential")
    func byOrigin() async throws {
        let api = try await sent(admin: nil)
        let admin = try await sent("https://admin.example.com/users")
        let other = try await sent("https://other.example.com/")

        expectEqual(api.sent, ["Authorization: Bearer user"])
        expectEqual(admin.sent, ["X-Admin: admin"])
        expectEqual(other.sent, [""])
    }

    @Test(
        "gives a call the credential it names, and no other",
        arguments: ["user", "admin", "else"]
    )
    func byName(name: String) async throws {
        let result = try await sent(configure: { $0.credentialName = name })

        let expected = ["user": "Authorization: Bearer user", "admin": "X-Admin: admin"]
        expectEqual(result.sent, [expected[name] ?? ""])
    }

    @Test("uses the next credential if the first has none")
    func firstEmpty() async throws {
        let result = try await sent(user: nil)

        expectEqual(result.sent, ["X-Admin: admin"])
        expectEqual(result.asked, [])
    }

    @Test("refreshes the rejected credential only", arguments: [true, false])
    func rejected(isUser: Bool) async throws {
        let result = try await sent(
            user: isUser ? .bearer("user") : nil,
            admin: isUser ? nil : .header("X-Admin", "admin"),
            answer: Self.rejection
        )

        expectEqual(result.asked, [isUser ? "user" : "admin"])
        expectEqual(result.sent.count, 2)
    }

    @Test("refreshes none of several when a request without one was rejected")
    func ambiguous() async throws {
        let result = try await sent(user: nil, admin: nil, answer: Self.rejection)

        expectEqual(result.asked, [])
        expectEqual(result.sent, [""])
    }

    @Test("refreshes the only or named one if a request without it was rejected")
    func unambiguous() async throws {
        let only = try await sent(
            "https://admin.example.com/users",
            admin: nil,
            answer: Self.rejection
        )
        let named = try await sent(
            user: nil,
            admin: nil,
            answer: Self.rejection,
            configure: { $0.credentialName = "user" }
        )

        expectEqual(only.asked, ["admin"])
        expectEqual(only.sent, ["", "X-admin: new"])
        expectEqual(named.asked, ["user"])
        expectEqual(named.sent, ["", "X-user: new"])
    }
}
