import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CacheInterceptor")
struct CacheInterceptorTests {
    @Test("a fresh response is served from the cache, with its Age")
    func fresh() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            _ = try await service.text()
            try await service.pass(59)
            let response = try await service.get()

            #expect(response.cacheStatus == .hit)
            #expect(response.headers["Age"] == "59")
            #expect(try await response.text() == "1")
            #expect(response.request?.url == orders)
            #expect(service.sends == 1)
        }
    }

    @Test("a response that is no longer fresh is requested again")
    func stale() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            _ = try await service.text()
            try await service.pass(60)
            let response = try await service.get()

            #expect(response.cacheStatus == .miss)
            #expect(try await response.text() == "2")
            #expect(service.reasons(.cacheMiss) == ["nothing is stored", "it is no longer fresh"])
        }
    }

    @Test("a validated response is served with the fields of the 304")
    func validated() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation) { request, _ in
                guard request.headers["If-None-Match"] == #""v1""# else {
                    let fields: HTTP.Headers = [
                        "Cache-Control": "max-age=60", "ETag": #""v1""#, "X-Part": "a",
                    ]
                    return HTTP.Response(200, headers: fields, body: "content")
                }
                let fields: HTTP.Headers = ["ETag": #""v1""#, "X-Part": "b", "Content-Length": "0"]
                return HTTP.Response(304, headers: fields)
            }

            _ = try await service.text()
            try await service.pass(61)
            let confirmed = try await service.get()
            let hit = try await service.get()

            #expect(confirmed.cacheStatus == .validated)
            #expect(confirmed.status == 200)
            #expect(confirmed.headers["X-Part"] == "b")
            #expect(confirmed.headers["Content-Length"] == nil)
            #expect(confirmed.headers["Age"] == nil)
            #expect(try await confirmed.text() == "content")
            #expect(hit.cacheStatus == .hit)
            #expect(hit.headers["X-Part"] == "b")
            #expect(service.sends == 2)
            #expect(service.cache.statistics.validations == 1)
        }
    }

    @Test("a 304 with another ETag is not used, and the request is sent again")
    func unconfirmed() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation) { request, _ in
                if request.headers.contains("If-None-Match") {
                    return HTTP.Response(304, headers: ["ETag": #""v2""#])
                }
                let fields: HTTP.Headers = ["Cache-Control": "no-cache", "ETag": #""v1""#]
                return HTTP.Response(200, headers: fields, body: "content")
            }

            _ = try await service.text()
            let response = try await service.get()

            #expect(response.cacheStatus == .miss)
            #expect(try await response.text() == "content")
            #expect(service.sends == 3)
        }
    }

    @Test("HEAD is served from the stored response to GET, without a body")
    func head() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            _ = try await service.text()
            let response = try await service.client.send(.head(orders))

            #expect(response.cacheStatus == .hit)
            #expect(try await response.text() == "")
            #expect(service.sends == 1)
        }
    }

    @Test("a call can bypass the cache")
    func leftOut() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            _ = try await service.text()
            let response = try await service.client.send(
                .get(orders),
                configure: { $0.usesCache = false }
            )

            #expect(response.cacheStatus == nil)
            #expect(service.sends == 2)
        }
    }

    @Test(
        "a range is cut from a complete stored response",
        arguments: [
            ("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=7-", "789", "bytes 7-9/10"),
            ("bytes=-2", "89", "bytes 8-9/10"), ("bytes=0-999", "0123456789", "bytes 0-9/10"),
            ("bytes=-99", "0123456789", "bytes 0-9/10"),
        ]
    )
    func range(asked: String, content: String, stated: String) async throws {
        try await onEverySeed(0..<2) { simulation in
            let service = try CachedService(simulation) { _, _ in
                HTTP.Response(
                    200,
                    headers: ["Cache-Control": "max-age=60"],
                    body: "0123456789"
                )
            }

            _ = try await service.text()
            let response = try await service.get(["Range": asked])

            #expect(response.status == 206)
            #expect(response.headers["Content-Range"] == stated)
            #expect(try await response.text() == content)
            #expect(service.sends == 1)
        }
    }

    @Test(
        "a range that can't be cut gets the complete response",
        arguments: [
            "bytes=10-", "bytes=4-2", "bytes=0-1,3-4", "lines=1-2", "bytes=", "bytes=-0",
            "bytes=a-b",
            "bytes=99999999999999999999-",
        ]
    )
    func uncuttable(asked: String) async throws {
        try await onEverySeed(0..<2) { simulation in
            let service = try CachedService(simulation) { _, _ in
                let fields: HTTP.Headers = ["Cache-Control": "max-age=60"]
                return HTTP.Response(200, headers: fields, body: "0123456789")
            }

            _ = try await service.text()
            let response = try await service.get(["Range": asked])

            #expect(response.status == 200)
            #expect(try await response.text() == "0123456789")
        }
    }

    @Test("a range with If-Range is cut only from the same version")
    func ifRange() async throws {
        try await onEverySeed(0..<2) { simulation in
            let fields: HTTP.Headers = ["Cache-Control": "max-age=60", "ETag": #""v1""#]
            let service = try CachedService(simulation, fields)

            _ = try await service.text()
            let same = try await service.get(["Range": "bytes=0-0", "If-Range": #""v1""#])
            let other = try await service.get(["Range": "bytes=0-0", "If-Range": #""v0""#])
            let weak = try await service.get(["Range": "bytes=0-0", "If-Range": #"W/"v1""#])

            #expect([same.status, other.status, weak.status] == [206, 200, 200])
        }
    }

    @Test("a caller's condition gets a 304 if it holds, and the whole if not")
    func conditions() async throws {
        try await onEverySeed(0..<2) { simulation in
            let fields: HTTP.Headers = [
                "Cache-Control": "max-age=60", "ETag": #"W/"v1""#, "Content-Type": "text/plain",
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
            ]
            let service = try CachedService(simulation, fields)

            _ = try await service.text()
            let known = try await service.get(["If-None-Match": #""v0", "v1""#])
            let unknown = try await service.get([
                "If-None-Match": #""v0""#, "If-Modified-Since": "Sun, 06 Nov 2094 08:49:37 GMT",
            ])
            let dated = try await service.get([
                "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"
            ])
            let older = try await service.get([
                "If-Modified-Since": "Sun, 06 Nov 1994 08:49:36 GMT"
            ])

            #expect([known, unknown, dated, older].map(\.status) == [304, 200, 304, 200])
            #expect(known.headers["ETag"] == #"W/"v1""#)
            #expect(known.headers["Content-Type"] == nil)
            #expect(try await known.text() == "")
            #expect(service.sends == 1)
        }
    }

    @Test("statistics count the outcomes of calls")
    func statistics() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            for _ in 0..<4 { _ = try await service.text() }
            try await service.pass(100)
            _ = try await service.text(["Cache-Control": "max-stale=100"])

            let statistics = service.cache.statistics
            #expect(statistics.hits == 3)
            #expect(statistics.misses == 1)
            #expect(statistics.stored == 1)
            #expect(statistics.staleHits == 1)
            #expect(statistics.hitRate == 0.8)
            #expect(CacheStatistics().hitRate == 0)
        }
    }

    @Test("invalid settings are refused when a client is made")
    func refused() {
        let policies = [
            CachePolicy(heuristicFraction: 1.1), CachePolicy(heuristicFraction: .nan),
            CachePolicy(heuristicLimit: .seconds(-1)), CachePolicy(staleIfError: .seconds(-1)),
            CachePolicy(revalidationLimit: .seconds(-1)), CachePolicy(collapsingLimit: -1),
        ]

        for policy in policies {
            #expect(throws: PipelineError.self) {
                try Pipeline(transport: Answering(200)) { CacheInterceptor(policy: policy) }
            }
        }
    }
}
