import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import Testing

@Suite("A cache's default partition")
struct CallerFieldTests {
    private static func answers(
        _ field: String,
        _ partition: CachePartition = .visibleCredentials
    ) async throws -> [String] {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            HTTP.Response(
                200,
                headers: ["Cache-Control": "private, max-age=600"],
                body: .text("for \(request.headers[field] ?? "nobody")")
            )
        }
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            CacheInterceptor(partition: partition)
        }
        var answers: [String] = []
        for caller in ["alice", "bob"] {
            var request = HTTP.Request.get("https://api.example.com/me")
            request.headers[field] = caller
            answers.append(try await client.send(request).text())
        }
        return answers
    }

    @Test(
        "gives nobody what was for another",
        arguments: [
            "X-Api-Key", "X-Auth-Token", "PRIVATE-TOKEN", "Ocp-Apim-Subscription-Key",
            "X-Vault-Token", "X-Forwarded-User", "X-Tenant-Id", "X-Anything", "Authorization",
            "Cookie",
        ]
    )
    func separates(field: String) async throws {
        try await expectEqual(Self.answers(field), ["for alice", "for bob"])
    }

    @Test("ignores what harmless fields say, and what it is told to")
    func ignores() async throws {
        let told = CachePartition.visibleCredentials(ignoring: ["x-app-build", "Authorization"])

        for field in ["User-Agent", "X-Request-Id", "traceparent"] {
            try await expectEqual(Self.answers(field), ["for alice", "for alice"])
        }
        try await expectEqual(Self.answers("X-App-Build", told), ["for alice", "for alice"])
        try await expectEqual(Self.answers("Authorization", told), ["for alice", "for bob"])
    }
}
