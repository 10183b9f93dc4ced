import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CacheInterceptor, storing")
struct StoringTests {
    @Test("a body is stored once it was read to its end, and not before")
    func whole() async throws {
        try await onEverySeed(0..<5) { simulation in
            let store = MemoryCacheStore()
            let service = try streaming(simulation, store) { .oneShot(CountingStream(chunks: 3)) }

            let response = try await service.get()
            #expect(await store.usage().entries == 0)
            #expect(try await response.body.collect().count == 3 * 1024)

            #expect(await store.usage().entries == 1)
            #expect(try await service.get().cacheStatus == .hit)
        }
    }

    @Test("a body that is interrupted, too short or released is not stored")
    func truncated() async throws {
        try await onEverySeed(0..<5) { simulation in
            let store = MemoryCacheStore()
            let broken = try streaming(simulation, store) {
                .oneShot(DrippingStream(simulation.runtime, breaking: (3, Problem())))
            }
            await #expect(throws: Problem.self) { try await broken.text() }

            let short = try streaming(simulation, store, ["Content-Length": "4096"]) {
                .oneShot(CountingStream(chunks: 3))
            }
            _ = try await short.text()

            let left = try streaming(simulation, store) { .oneShot(CountingStream(chunks: 99)) }
            let response = try await left.get()
            for try await _ in response.body { break }
            response.body.cancel()
            let unread = try await left.get()
            unread.body.cancel()

            #expect(await store.usage() == CacheUsage(entries: 0, bytes: 0))
            #expect(left.sends == 2)
        }
    }

    @Test("the trailers of a body that is being stored come after its end")
    func trailers() async throws {
        try await onEverySeed(0..<2) { simulation in
            let store = MemoryCacheStore()
            let service = try streaming(simulation, store) { .oneShot(OneChunk("content")) }

            let response = try await service.get()
            let before = response.trailers
            _ = try await response.text()

            #expect(before == nil)
            #expect(response.trailers == ["X-Sum": "1"])
            #expect(await store.usage().entries == 1)
        }
    }

    @Test("a stored response shows no secret of its URL")
    func description() {
        let stored = StoredResponse.sample("https://a.example/b?token=s3cret&c=1")

        #expect("\(stored)" == "200 OK of https://a.example/b?token=██&c=1")
    }

    @Test("a body that exceeds the store's limit is passed on whole")
    func large() async throws {
        try await onEverySeed(0..<5) { simulation in
            let store = MemoryCacheStore(maxEntryBytes: 2048)
            let service = try streaming(simulation, store) { .oneShot(CountingStream(chunks: 9)) }

            #expect(try await service.get().body.collect().count == 9 * 1024)
            #expect(await store.usage().entries == 0)
        }
    }

    @Test("a store that fails, at any moment, fails no call")
    func failing() async throws {
        try await onEverySeed(0..<3) { simulation in
            for failure in FailingStore.Moment.allCases {
                let fields: HTTP.Headers = ["Cache-Control": "max-age=60", "ETag": #""1""#]
                let store = FailingStore(at: failure)
                let service = try CachedService(simulation, store: store) { request, _ in
                    let isKnown = request.headers.contains("If-None-Match")
                    return HTTP.Response(
                        isKnown ? 304 : 200,
                        headers: fields,
                        body: isKnown ? .empty : "content"
                    )
                }

                for control in ["", "no-cache", ""] {
                    #expect(try await service.text(["Cache-Control": control]) == "content")
                }
                _ = try await service.client.send(.post(orders))

                #expect(service.cache.statistics.storeFailures > 0, "\(failure)")
                #expect(service.sink.names.contains(.cacheStoreFailed))
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

            #expect(try await [text("/never"), text("/never")] == ["1", "2"])
            #expect(try await [text("/else"), text("/else")] == ["3", "4"])
            let first = try await text("/long")
            try await service.pass(999)
            #expect(try await [first, text("/long")] == ["5", "5"])
            try await service.pass(1)
            #expect(try await text("/long") == "6")
        }
    }

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

    @Test("a response that a request invalidates while it arrives isn't stored")
    func outdated() async throws {
        try await onEverySeed(0..<20) { simulation in
            let gate = Gate()
            let service = try CachedService(simulation) { request, call in
                if request.method == .post { return HTTP.Response(204) }
                return HTTP.Response(
                    200,
                    headers: ["Cache-Control": "max-age=60"],
                    body: .oneShot(GatedChunk(gate))
                )
            }

            let old = try await service.get()
            async let reading = old.text()
            _ = try await service.client.send(.post(orders))
            gate.open()
            _ = try await reading

            #expect(try await service.get().cacheStatus == .miss)
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

    private func streaming(
        _ simulation: Simulation,
        _ store: MemoryCacheStore,
        _ more: HTTP.Headers = [:],
        _ body: @escaping @Sendable () -> HTTP.Body
    ) throws -> CachedService {
        let fields = HTTP.Headers(
            [("Cache-Control", "max-age=60")] + more.map { ($0.name, $0.value) }
        )
        return try CachedService(simulation, store: store) { _, _ in
            HTTP.Response(200, headers: fields, body: body())
        }
    }
}

private final class GatedChunk: BodyStream {
    private let gate: Gate
    private let rest = Lock<Data?>(Data("old".utf8))

    init(_ gate: Gate) { self.gate = gate }

    func next() async throws -> Data? {
        try await gate.pass()
        return rest.withLock { $0.take() }
    }

    func cancel() {}
}

/// A store in memory that throws at one of its moments.
private struct FailingStore: CacheStore {
    enum Moment: CaseIterable { case find, body, begin, write, commit, update, removeAll }

    let moment: Moment
    private let base = MemoryCacheStore()

    init(at moment: Moment) { self.moment = moment }

    private func fail(_ now: Moment) throws { if now == moment { throw Problem() } }

    func responses(for key: CacheKey) async throws -> [StoredResponse] {
        try fail(.find)
        return await base.responses(for: key)
    }

    func body(of response: StoredResponse) async throws -> HTTP.Body? {
        try fail(.body)
        return await base.body(of: response)
    }

    func writer(for response: StoredResponse, length: Int?) async throws -> (any CacheWriter)? {
        try fail(.begin)
        return await base.writer(for: response, length: length).map {
            Writer(base: $0, moment: moment)
        }
    }

    func update(_ response: StoredResponse) async throws {
        try fail(.update)
        await base.update(response)
    }

    func remove(_ response: StoredResponse) async throws { await base.remove(response) }

    func removeAll(for url: String) async throws {
        try fail(.removeAll)
        await base.removeAll(for: url)
    }

    func removeAll() async throws { await base.removeAll() }
    func contents() async throws -> [StoredResponse] { await base.contents() }
    func usage() async throws -> CacheUsage { await base.usage() }

    private final class Writer: CacheWriter {
        let base: any CacheWriter
        let moment: Moment

        init(base: any CacheWriter, moment: Moment) {
            self.base = base
            self.moment = moment
        }

        func write(_ chunk: Data) async throws {
            if moment == .write { throw Problem() }
            try await base.write(chunk)
        }

        func commit(if isWanted: @Sendable () -> Bool) async throws -> Bool {
            if moment == .commit { throw Problem() }
            return try await base.commit(if: isWanted)
        }

        func abandon() { base.abandon() }
    }
}
