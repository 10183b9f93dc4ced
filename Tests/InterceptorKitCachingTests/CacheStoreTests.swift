import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CacheStore")
struct CacheStoreTests {
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
                    try await expectEqual(service.text(["Cache-Control": control]), "content")
                }
                _ = try await service.client.send(.post(orders))

                expectTrue(service.cache.statistics.storeFailures > 0, "\(failure)")
                expectTrue(service.sink.names.contains(.cacheStoreFailed))
            }
        }
    }
}

extension CacheStoreTests {
    @Test("finds and opens in one look-up what two would find", arguments: [true, false])
    func open(onDisk: Bool) async throws {
        let folder = try Folder()
        let store: any CacheStore = onDisk ? DiskCacheStore(folder.path) : MemoryCacheStore()
        try await store.put(.sample(), Data("content".utf8))
        let key = StoredResponse.sample().key

        let opened = try await store.open(key) { found in (found.map(\.id), found.first) }
        let declined = try await store.open(key) { found in (found.count, nil) }
        let absent = try await store.open(CacheKey(url: "https://example.com/b")) { found in
            (found.count, found.first)
        }

        expectEqual(opened.decision, [1])
        try await expectEqual(opened.body?.collect(), Data("content".utf8))
        expectTrue(declined.decision == 1 && declined.body == nil)
        expectTrue(absent.decision == 0 && absent.body == nil)
    }

    @Test("opens nothing whose file is gone")
    func openRemoved() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        try await store.put(.sample(), Data("content".utf8))
        let key = StoredResponse.sample().key

        let opened = try await store.open(key) { found -> (Int, StoredResponse?) in
            for entry in folder.entries {
                try? FileManager.default.removeItem(atPath: folder[entry])
            }
            return (found.count, found.first)
        }

        expectEqual(opened.decision, 1)
        expectTrue(opened.body == nil)
    }
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
