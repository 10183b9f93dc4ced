import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CachePolicy")
struct CachePolicyTests {
    @Test("invalid settings are refused when a client is made")
    func refused() {
        let policies = [
            CachePolicy(heuristicFraction: 1.1), CachePolicy(heuristicFraction: .nan),
            CachePolicy(heuristicLimit: .seconds(-1)), CachePolicy(staleIfError: .seconds(-1)),
            CachePolicy(revalidationLimit: .seconds(-1)), CachePolicy(collapsingLimit: -1),
        ]

        for policy in policies {
            #expect(throws: PipelineError.self) {
                try Pipeline(transport: CannedTransport(200)) { CacheInterceptor(policy: policy) }
            }
        }
    }

    @Test("the policy decides for each response whether and how it is stored")
    func hook() async throws {
        try await onEverySeed(0..<5) { simulation in
            let policy = CachePolicy { request, _ in
                switch request.url.path {
                case "/never": .never
                case "/long": .fresh(for: .seconds(1000))
                default: .asStated
                }
            }
            let service = try CachedService(
                simulation,
                ["Cache-Control": "max-age=60, no-store"],
                policy: policy
            )
            func text(_ path: String) async throws -> String {
                try await service.client.send(.get(HTTP.URL("https://a.example\(raw: path)")))
                    .text()
            }

            try await expectEqual([text("/never"), text("/never")], ["1", "2"])
            try await expectEqual([text("/else"), text("/else")], ["3", "4"])
            let first = try await text("/long")
            try await service.pass(999)
            try await expectEqual([first, text("/long")], ["5", "5"])
            try await service.pass(1)
            try await expectEqual(text("/long"), "6")
        }
    }
}
