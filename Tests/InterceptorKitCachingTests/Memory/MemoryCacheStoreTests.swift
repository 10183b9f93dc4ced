import Expectations
import InterceptorKit
import InterceptorKitCaching
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("MemoryCacheStore")
struct MemoryCacheStoreTests {
    private func response(
        _ id: UInt64,
        url: String = "https://a.example/",
        partition: String = "",
        selection: [StoredResponse.Selector] = []
    ) -> StoredResponse {
        StoredResponse(
            id: id,
            key: CacheKey(url: url, partition: partition),
            selection: selection,
            status: 200,
            headers: ["Cache-Control": "max-age=60"],
            requestDate: Date(timeIntervalSince1970: 0),
            responseDate: Date(timeIntervalSince1970: 1)
        )
    }

    private func store(_ response: StoredResponse, _ size: Int, in store: MemoryCacheStore)
        async throws
    {
        let writer = try await unwrap(store.writer(for: response, length: nil))
        try await writer.write(Data(repeating: 1, count: size))
        try await writer.commit()
    }

    @Test("a response is found once committed, and its body any number of times")
    func committed() async throws {
        let store = MemoryCacheStore()
        let response = response(1)
        let writer = try await unwrap(store.writer(for: response, length: 4))

        try await writer.write(Data([1, 2]))
        try await writer.write(Data([3, 4]))
        await expectTrue(store.responses(for: response.key).isEmpty)
        await expectTrue(store.body(of: response) == nil)
        try await writer.commit()
        writer.abandon()

        await expectEqual(store.responses(for: response.key).map(\.id), [1])
        for _ in 0..<2 {
            await expectEqual(store.body(of: response)?.inMemory, Data([1, 2, 3, 4]))
        }
    }

    @Test("an abandoned response leaves nothing behind")
    func abandoned() async throws {
        let store = MemoryCacheStore()
        let writer = try await unwrap(store.writer(for: response(1), length: nil))

        try await writer.write(Data([1]))
        writer.abandon()
        try await writer.commit()

        await expectEqual(store.usage(), CacheUsage(entries: 0, bytes: 0))
    }

    @Test("a complete response whose commit is declined is not stored")
    func unwanted() async throws {
        let store = MemoryCacheStore()
        try await self.store(response(1), 1, in: store)
        let writer = try await unwrap(store.writer(for: response(2), length: nil))
        try await writer.write(Data([1, 2]))

        try await expectTrue(!writer.commit(if: { false }))
        try await expectTrue(!writer.commit(if: { true }))

        await expectEqual(store.contents().map(\.id), [1])
    }

    @Test("nothing is stored between an invalidation and the removal after it")
    func invalidated() async throws {
        try await expectNoneFoundAfterInvalidation(in: MemoryCacheStore())
    }

    @Test("a response replaces only the one with the same key and selection")
    func replaced() async throws {
        let store = MemoryCacheStore()
        let german = [StoredResponse.Selector(name: "accept-language", value: "de")]

        try await self.store(response(1), 10, in: store)
        try await self.store(response(2, selection: german), 10, in: store)
        try await self.store(response(3, partition: "b"), 10, in: store)
        try await self.store(response(4), 20, in: store)

        let key = response(1).key
        await expectEqual(store.responses(for: key).map(\.id).sorted(), [2, 4])
        await expectTrue(store.body(of: response(1)) == nil)
        await expectEqual(store.usage().entries, 3)
    }

    @Test("the most recently used responses stay, within every limit")
    func bounds() async throws {
        let store = MemoryCacheStore(maxEntries: 3)
        for id in 1...3 { try await self.store(response(UInt64(id), url: "\(id)"), 1, in: store) }
        _ = await store.body(of: response(1, url: "1"))

        try await self.store(response(4, url: "4"), 1, in: store)

        await expectEqual(store.contents().map(\.id), [4, 1, 3])

        let small = MemoryCacheStore(maxBytes: 2000)
        for id in 1...9 { try await self.store(response(UInt64(id), url: "\(id)"), 200, in: small) }
        let usage = await small.usage()
        expectTrue(usage.bytes <= 2000)
        expectTrue(usage.entries > 1)
        await expectEqual(small.contents().first?.id, 9)
    }

    @Test("a response above the entry limit is refused, with or without length")
    func tooLarge() async throws {
        let store = MemoryCacheStore(maxEntryBytes: 1000)
        await expectTrue(store.writer(for: response(1), length: 1000) == nil)
        await expectTrue(MemoryCacheStore(maxEntries: 0).writer(for: response(1), length: 0) == nil)
        await expectTrue(MemoryCacheStore(maxBytes: -1).writer(for: response(1), length: 0) == nil)

        let writer = try await unwrap(store.writer(for: response(1), length: nil))
        try await writer.write(Data(count: 500))
        await #expect(throws: StoreError.self) { try await writer.write(Data(count: 500)) }
        try await writer.commit()

        await expectEqual(store.usage().entries, 0)
    }

    @Test("an update replaces the head and keeps the body")
    func updated() async throws {
        let store = MemoryCacheStore()
        try await self.store(response(1), 3, in: store)
        let before = await store.usage().bytes
        let newer = StoredResponse(
            id: 1,
            key: response(1).key,
            status: 200,
            headers: ["Cache-Control": "max-age=600"],
            requestDate: Date(timeIntervalSince1970: 5),
            responseDate: Date(timeIntervalSince1970: 6)
        )

        await store.update(newer)
        await store.update(response(2))

        let found = await store.responses(for: newer.key)
        expectEqual(found.map(\.headers), [newer.headers])
        await expectEqual(store.body(of: newer)?.length, 3)
        await expectEqual(store.usage(), CacheUsage(entries: 1, bytes: before + 1))
    }

    @Test("all of a URL, one response, or everything can be removed")
    func forgotten() async throws {
        let store = MemoryCacheStore()
        try await self.store(response(1, url: "a"), 1, in: store)
        try await self.store(response(2, url: "a", partition: "p"), 1, in: store)
        try await self.store(response(3, url: "b"), 1, in: store)
        try await self.store(response(4, url: "c"), 1, in: store)

        await store.removeAll(for: "a")
        await expectEqual(store.contents().map(\.id), [4, 3])
        await store.remove(response(3, url: "b"))
        await expectEqual(store.contents().map(\.id), [4])
        await store.removeAll()
        await expectEqual(store.usage(), CacheUsage(entries: 0, bytes: 0))
        await expectTrue(store.responses(for: CacheKey(url: "c")).isEmpty)
    }
}
