import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("CacheSelection")
struct CacheSelectionTests {
    /// A service that says what it was asked in a language, and by which fields that varies.
    private static func service(_ simulation: Simulation, _ vary: String) throws -> CachedService {
        try CachedService(simulation) { request, _ in
            let fields: HTTP.Headers = ["Cache-Control": "max-age=60", "Vary": vary]
            let language = request.headers["Accept-Language"] ?? "none"
            return HTTP.Response(200, headers: fields, body: .text(language))
        }
    }

    @Test("each variant is stored beside the others, and served to its requests")
    func variants() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try Self.service(simulation, "accept-language, X-Tenant")

            var texts: [String] = []
            for fields: HTTP.Headers in [
                ["Accept-Language": "de"], ["Accept-Language": "fr"], [:],
                ["Accept-Language": "de"], ["Accept-Language": "fr"], [:],
                ["Accept-Language": "de", "X-Tenant": "b"],
                ["Accept-Language": "de", "X-Request-Id": "b"],
            ] {
                texts.append(try await service.text(fields))
            }

            expectEqual(texts, ["de", "fr", "none", "de", "fr", "none", "de", "de"])
            expectEqual(service.sends, 4)
        }
    }

    @Test("fields whose values only look alike select different variants")
    func delimiters() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try Self.service(simulation, "X-A, X-B")

            for fields: HTTP.Headers in [
                ["X-A": "1", "X-B": "2"], ["X-A": "1, 2"], ["X-B": "1, 2"], ["X-A": "1,2"],
                ["X-A": "1\t2"], ["X-A": ""], [:],
            ] {
                _ = try await service.text(fields)
            }

            expectEqual(service.sends, 7)
        }
    }

    @Test(
        "equivalent fields select the same variant, by their own syntax",
        arguments: [
            ("Accept", "text/html,  a/b", "text/html,a/b", true),
            ("Accept", "text/html, a/b", "a/b, text/html", false),
            ("Accept", #"a/b;v="X""#, #"a/b;v="x""#, false),
            ("Accept-Encoding", "gzip,  BR", "GZIP, br", true),
            ("Accept-Encoding", "gzip, br", "gzip", false),
            ("Accept-Charset", "UTF-8 , *;q=0.1", "utf-8,*;q=0.1", true),
            ("Accept-Language", "de, EN;q=0.5", "en;q=0.5,de", true),
            ("X-Other", "a, b", "a,b", false),
        ]
    )
    func normalized(name: String, first: String, second: String, isSame: Bool) async throws {
        try await onEverySeed(0..<2) { simulation in
            let service = try Self.service(simulation, name)

            _ = try await service.text([name: first])
            _ = try await service.text([name: second])

            expectEqual(service.sends, (isSame ? 1 : 2))
        }
    }

    @Test(
        "a credential named by Vary is stored only as a digest",
        arguments: ["Authorization", "Cookie", "Proxy-Authorization"]
    )
    func credential(name: String) async throws {
        try await onEverySeed(0..<2) { simulation in
            let store = MemoryCacheStore()
            let service = try CachedService(
                simulation,
                ["Cache-Control": "max-age=60, public", "Vary": name],
                store: store
            )

            let texts = [
                try await service.text([name: "s3cret"]), try await service.text([name: "other"]),
                try await service.text([name: "s3cret"]),
            ]

            let stored = await store.contents()
            expectEqual(texts, ["1", "2", "1"])
            expectEqual(stored.count, 2)
            expectTrue(stored.allSatisfy { $0.selection.first?.value?.utf8.count == 64 })
            var dumped = ""
            dump(stored, to: &dumped)
            expectTrue(!dumped.contains("s3cret"))
        }
    }
}
