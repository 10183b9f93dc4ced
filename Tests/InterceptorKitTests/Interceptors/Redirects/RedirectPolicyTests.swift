import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RedirectPolicy")
struct RedirectPolicyTests {
    private func run(
        _ request: HTTP.Request,
        through transport: ScriptedTransport<HTTP.Request>,
        _ policy: RedirectPolicy = RedirectPolicy()
    ) async throws -> HTTP.Response {
        let pipeline = try Pipeline(transport: transport) { RedirectInterceptor(policy: policy) }
        return try await pipeline.run(request)
    }

    @Test("asks the policy about each redirect")
    func decides() async throws {
        let transport = web([
            "https://a.example/1": .redirect(to: "/2"),
            "https://a.example/2": .redirect(to: "https://b.example/3"),
        ])
        var policy = RedirectPolicy()
        policy.decide = { $0.changesOrigin ? .deliver : .follow }
        var failing = RedirectPolicy()
        failing.decide = { _ in throw Problem() }

        let response = try await run(.get("https://a.example/1"), through: transport, policy)
        await #expect(throws: Problem.self) {
            try await run(.get("https://a.example/1"), through: transport, failing)
        }

        expectEqual(response.status, 302)
        expectEqual(response.redirects.count, 1)
    }

    @Test("refuses invalid settings", arguments: [0, -1, 1001])
    func settings(limit: Int) {
        var policy = RedirectPolicy()
        policy.limit = limit
        var origins = RedirectPolicy()
        origins.trustedOrigins = ["b.example"]

        #expect(throws: SettingError.self) { try policy.validate() }
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: web([:])) { RedirectInterceptor(policy: origins) }
        }
    }
}
