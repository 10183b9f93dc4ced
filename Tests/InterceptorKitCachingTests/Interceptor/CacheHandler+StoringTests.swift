import Expectations
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

            expectEqual(confirmed.cacheStatus, .validated)
            expectEqual(later.cacheStatus, expected)
        }
    }

    @Test("stores the fields that the policy put in place of the response's")
    func changed() async throws {
        try await onEverySeed(0..<3) { simulation in
            let policy = CachePolicy { _, response in
                var headers = response.headers
                headers["Cache-Control"] = "max-age=60"
                headers["X-Added"] = "1"
                headers["X-Secret"] = nil
                headers["ETag"] = #""other""#
                headers["Content-Length"] = "1"
                return .changed(headers)
            }
            let service = try CachedService(
                simulation,
                ["Cache-Control": "no-cache", "X-Secret": "s3cret", "ETag": #""1""#],
                policy: policy
            )

            let first = try await service.get()
            let text = try await first.text()
            let later = try await service.get()
            let storedText = try await later.text()

            expectEqual(first.headers["X-Secret"], "s3cret")
            expectEqual(later.cacheStatus, .hit)
            expectEqual(later.headers["X-Added"], "1")
            expectEqual(later.headers["X-Secret"], nil)
            expectEqual(later.headers["ETag"], #""1""#)
            expectEqual(storedText, text)
        }
    }

    @Test("does not store a response whose changed fields forbid it")
    func changedToForbidden() async throws {
        try await onEverySeed(0..<3) { simulation in
            let policy = CachePolicy { _, _ in .changed(["Cache-Control": "no-store"]) }
            let service = try CachedService(
                simulation,
                ["Cache-Control": "max-age=60"],
                policy: policy
            )

            _ = try await service.text()
            let later = try await service.get()

            expectEqual(later.cacheStatus, .miss)
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

            expectEqual(response.cacheStatus, .hit)
            expectTrue(!response.headers.contains(name))
            expectEqual(response.headers["X-Kept"], "1")
        }
    }
}
