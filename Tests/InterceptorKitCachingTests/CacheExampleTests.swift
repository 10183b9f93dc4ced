import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

/// Cases of the public cache tests (github.com/http-tests/cache-tests) by their names there; a pause is 3 s.
@Suite("CacheInterceptor and examples of the published cache tests")
struct CacheExampleTests {
    @Test("reuses what is fresh, and nothing older (freshness-max-age)")
    func freshness() throws {
        try Simulation.run { simulation in
            for (age, isReused) in [("max-age=3600", true), ("max-age=2", false)] {
                let service = try CachedService(simulation, ["Cache-Control": age])

                let first = try await service.text()
                try await service.pass(3)
                let second = try await service.text()

                expectEqual((second == first), isReused, "\(age)")
                expectEqual(service.sends, (isReused ? 1 : 2), "\(age)")
            }
        }
    }

    @Test("validates by ETag, and updates the stored fields by the 304")
    func validation() throws {
        try Simulation.run { simulation in
            let tag = #""abcdef""#
            let service = try CachedService(simulation) { request, _ in
                request.headers["If-None-Match"] == tag
                    ? HTTP.Response(304, headers: ["Cache-Control": "max-age=3600", "ETag": tag])
                    : HTTP.Response(
                        200,
                        headers: ["Cache-Control": "max-age=2", "ETag": tag],
                        body: "content"
                    )
            }

            _ = try await service.text()
            try await service.pass(3)
            let validated = try await service.get()
            let cached = try await service.get()

            expectEqual(
                service.transport.sent.map { $0.input.headers["If-None-Match"] },
                [nil, tag]
            )
            expectEqual(validated.headers["Cache-Control"], "max-age=3600")
            expectEqual(cached.headers["Cache-Control"], "max-age=3600")
            try await expectEqual(cached.text(), "content")
        }
    }

    @Test("reuses a varying response only for the same field (vary-match)")
    func varying() throws {
        try Simulation.run { simulation in
            let fields: HTTP.Headers = ["Cache-Control": "max-age=5000", "Vary": "Foo"]
            let service = try CachedService(simulation, fields)

            _ = try await service.text(["Foo": "1"])
            _ = try await service.text(["Foo": "1"])
            expectEqual(service.sends, 1)
            _ = try await service.text(["Foo": "2"])

            expectEqual(service.sends, 2)
        }
    }
}
