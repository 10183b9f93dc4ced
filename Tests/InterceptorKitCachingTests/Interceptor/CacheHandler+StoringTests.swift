import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CacheHandler, storing a response")
struct CachePassageStoringTests {
    @Test(
        "a 304 is judged like a response, by its fields and the policy",
        arguments: [
            (CachePolicy.Storing.asStated, "no-store", HTTP.CacheStatus.miss),
            (.asStated, "max-age=60", .hit), (.fresh(for: .seconds(60)), "no-cache", .hit),
            (.fresh(for: .seconds(60)), "no-store", .hit),
        ]
    )
    func confirmed(
        storing: CachePolicy.Storing,
        control: String,
        expected: HTTP.CacheStatus
    ) async throws {
        try await onEverySeed(0..<3) { simulation in
            let policy = CachePolicy { _, _ in storing }
            let service = try CachedService(
                simulation,
                policy: policy,
                partition: .oneIdentity
            ) { request, _ in
                let isKnown = request.headers.contains("If-None-Match")
                return HTTP.Response(
                    isKnown ? 304 : 200,
                    headers: ["Cache-Control": isKnown ? control : "max-age=60", "ETag": #""1""#],
                    body: isKnown ? .empty : "content"
                )
            }

            _ = try await service.text()
            try await service.pass(61)
            let confirmed = try await service.get()
            try await service.pass(30)
            let later = try await service.get()

            #expect(confirmed.cacheStatus == .validated)
            #expect(later.cacheStatus == expected)
        }
    }

    @Test(
        "hop-by-hop fields are not stored",
        arguments: [
            "Connection", "Keep-Alive", "Proxy-Authenticate", "Upgrade", "X-Listed", "X-Asked",
        ]
    )
    func fields(name: String) async throws {
        try await onEverySeed(0..<2) { simulation in
            let service = try CachedService(
                simulation,
                [
                    "Cache-Control": #"max-age=60, no-cache="x-asked""#, "Connection": "x-listed",
                    name: "x-listed", "X-Kept": "1",
                ]
            )

            _ = try await service.text()
            let response = try await service.get()

            #expect(response.cacheStatus == .hit)
            #expect(!response.headers.contains(name))
            #expect(response.headers["X-Kept"] == "1")
        }
    }
}
