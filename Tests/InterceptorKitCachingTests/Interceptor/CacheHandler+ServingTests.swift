import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CacheHandler, serving what is stored")
struct CachePassageServingTests {
    @Test("HEAD is served from the stored response to GET, without a body")
    func head() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            _ = try await service.text()
            let response = try await service.client.send(.head(orders))

            expectEqual(response.cacheStatus, .hit)
            try await expectEqual(response.text(), "")
            expectEqual(service.sends, 1)
        }
    }

    @Test(
        "a range that can't be cut gets the complete response",
        arguments: ["bytes=10-", "bytes=0-1,3-4", "lines=1-2"]
    )
    func uncuttable(asked: String) async throws {
        try await onEverySeed(0..<2) { simulation in
            let service = try CachedService(simulation) { _, _ in
                let fields: HTTP.Headers = ["Cache-Control": "max-age=60"]
                return HTTP.Response(200, headers: fields, body: "0123456789")
            }

            _ = try await service.text()
            let response = try await service.get(["Range": asked])

            expectEqual(response.status, 200)
            try await expectEqual(response.text(), "0123456789")
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

            expectEqual([same.status, other.status, weak.status], [206, 200, 200])
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

            expectEqual([known, unknown, dated, older].map(\.status), [304, 200, 304, 200])
            expectEqual(known.headers["ETag"], #"W/"v1""#)
            expectEqual(known.headers["Content-Type"], nil)
            try await expectEqual(known.text(), "")
            expectEqual(service.sends, 1)
        }
    }
}
