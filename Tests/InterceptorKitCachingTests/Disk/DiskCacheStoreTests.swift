import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCaching
import TestSupport
import Testing

@Suite("DiskCacheStore")
struct DiskCacheStoreTests {
    @Test(
        "returns what was stored, whatever its size",
        arguments: [0, 1, 1024, 4000, 65_535, 65_536, 65_537, 131_072, 1_000_000]
    )
    func roundTrip(size: Int) async throws {
        let folder = try Folder()
        let body = Data.sample(size)
        let response = StoredResponse.sample(
            partition: "p",
            id: 7,
            selection: [.init(name: "accept", value: "a"), .init(name: "x", value: nil)],
            headers: ["ETag": "\"ü\"", "Set-Cookie": "a=1", "set-cookie": "b=2", "X-Empty": ""]
        )

        try await DiskCacheStore(folder.path).put(response, body)
        let store = DiskCacheStore(folder.path)
        let found = try await store.responses(for: response.key)

        expectEqual(found.count, 1)
        expectEqual(found.first?.id, 7)
        expectEqual(found.first?.key, response.key)
        expectEqual(found.first?.selection, response.selection)
        expectEqual(found.first?.status, 200)
        expectEqual(found.first.map { Array($0.headers) }, Array(response.headers))
        expectEqual(found.first?.requestDate, response.requestDate)
        expectEqual(found.first?.responseDate, response.responseDate)
        try await expectEqual(store.bytes(of: response), body)
        try await expectEqual(store.body(of: response)?.length, size)
    }

    @Test("finds a response with a long head")
    func longHead() async throws {
        let folder = try Folder()
        let headers: HTTP.Headers = ["X-Long": String(repeating: "x", count: 100_000)]
        let response = StoredResponse.sample(headers: headers)
        let store = DiskCacheStore(folder.path)

        try await store.put(response, Data("body".utf8))

        try await expectEqual(store.responses(for: response.key).first?.headers, headers)
        try await expectEqual(store.bytes(of: response), Data("body".utf8))
    }

    @Test("keeps partitions and selections of one URL apart")
    func variants() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        let english = StoredResponse.sample(
            id: 1,
            selection: [.init(name: "accept-language", value: "en")],
            respondedAt: 1
        )
        let german = StoredResponse.sample(
            id: 2,
            selection: [.init(name: "accept-language", value: "de")],
            respondedAt: 2
        )
        let other = StoredResponse.sample(partition: "someone", id: 3)

        try await store.put(english, Data("en".utf8))
        try await store.put(german, Data("de".utf8))
        try await store.put(other, Data("other".utf8))

        try await expectEqual(store.responses(for: english.key).map(\.id), [2, 1])
        try await expectEqual(store.responses(for: other.key).map(\.id), [3])
        try await expectEqual(store.bytes(of: english), Data("en".utf8))
        try await expectEqual(store.bytes(of: german), Data("de".utf8))
        try await expectEqual(store.bytes(of: other), Data("other".utf8))
    }

    @Test("replaces the response with the same key and selection")
    func replaces() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        try await store.put(.sample(id: 1), Data("old".utf8))
        let old = try await unwrap(store.body(of: .sample(id: 1)))

        try await store.put(.sample(id: 2), Data("new".utf8))

        try await expectEqual(store.responses(for: StoredResponse.sample().key).map(\.id), [2])
        try await expectTrue(store.body(of: .sample(id: 1)) == nil)
        try await expectEqual(store.bytes(of: .sample(id: 2)), Data("new".utf8))
        try await expectEqual(old.collect(), Data("old".utf8))
        expectEqual(folder.entries.count, 1)
    }

    @Test("stores nothing between an invalidation and the removal after it")
    func invalidated() async throws {
        let folder = try Folder()
        try await expectNoneFoundAfterInvalidation(in: DiskCacheStore(folder.path))
    }

    @Test("replaces only the head when a response is updated")
    func freshened() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        let body = Data.sample(300_000)
        try await store.put(.sample(), body)
        let file = try unwrap(folder.entries.first)
        let before = folder.content(file)

        try await store.update(.sample(headers: ["ETag": "1"], respondedAt: 50))
        try await store.update(.sample(headers: ["ETag": "2"], respondedAt: 60))

        let found = try await store.responses(for: StoredResponse.sample().key)
        expectEqual(found.count, 1)
        expectEqual(found.first?.headers, ["ETag": "2"])
        expectEqual(found.first?.responseDate, Date(timeIntervalSinceReferenceDate: 60))
        try await expectEqual(store.bytes(of: .sample()), body)
        expectEqual(folder.content(file), before)
        expectEqual(folder.entries, [file, file + ".fresh"])
    }

    @Test("drops an updated head when its response is replaced")
    func staleHead() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        try await store.put(.sample(), Data("old".utf8))
        try await store.update(.sample(headers: ["ETag": "old"]))

        // The same number: the two still are not the same.
        try await store.put(.sample(headers: ["ETag": "new"]), Data("new".utf8))

        let found = try await store.responses(for: StoredResponse.sample().key)
        expectEqual(found.map(\.headers), [["ETag": "new"]])
        expectEqual(folder.entries.count, 1)
    }

    @Test("updates no response that is gone, replaced or of another selection")
    func freshensNothing() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        try await store.update(.sample())
        expectTrue(folder.entries.isEmpty)

        try await store.put(.sample(id: 1), Data("body".utf8))
        try await store.update(.sample(id: 2, headers: ["ETag": "2"]))
        try await store.update(
            .sample(id: 1, selection: [.init(name: "accept", value: "x")], headers: ["ETag": "3"])
        )

        let found = try await store.responses(for: StoredResponse.sample().key)
        expectEqual(found.map(\.headers), [["Content-Type": "text/plain"]])
        expectEqual(folder.entries.count, 1)
    }

    @Test("removes one response, all of a URL, or everything")
    func removes() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        try folder.write(Data("mine".utf8), to: "notes.txt")
        for id in 1...3 as ClosedRange<UInt64> {
            try await store.put(.sample("https://example.com/\(id)", id: id), Data("\(id)".utf8))
            try await store.put(
                .sample("https://example.com/\(id)", partition: "p", id: id + 10),
                Data("\(id)".utf8)
            )
        }
        try await store.update(.sample("https://example.com/1", id: 1))

        try await store.remove(.sample("https://example.com/1", id: 99))
        try await expectEqual(store.usage().entries, 6)
        try await store.remove(.sample("https://example.com/1", id: 1))
        expectEqual(Set(try await store.contents().map(\.id)), [2, 3, 11, 12, 13])

        try await store.removeAll(for: "https://example.com/2")
        expectEqual(Set(try await store.contents().map(\.id)), [3, 11, 13])
        try await expectTrue(store.body(of: .sample("https://example.com/2", id: 2)) == nil)

        try await store.removeAll()
        try await expectTrue(store.contents().isEmpty)
        expectEqual(folder.names, ["notes.txt", "writing"])
    }

    @Test("works again after its folder was removed")
    func removedFolder() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder["cache"])
        try await store.put(.sample(), Data("1".utf8))
        try FileManager.default.removeItem(atPath: folder["cache"])

        try await expectTrue(store.responses(for: StoredResponse.sample().key).isEmpty)
        try await store.put(.sample(), Data("2".utf8))

        try await expectEqual(store.bytes(of: .sample()), Data("2".utf8))
    }

    @Test("reports its usage, in files")
    func usage() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        try await expectEqual(store.usage(), CacheUsage(entries: 0, bytes: 0))

        try await store.put(.sample("https://example.com/1"), .sample(100_000))
        try await store.put(.sample("https://example.com/2"), .sample(10))
        try await store.update(.sample("https://example.com/2"))

        let sizes = folder.entries.map { folder.content($0)?.count ?? 0 }
        expectEqual(sizes.count, 3)
        try await expectEqual(store.usage(), CacheUsage(entries: 2, bytes: sizes.reduce(0, +)))
    }
}
