import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("URLDirectory")
struct URLDirectoryTests {
    private func stored(_ folder: Folder, size: Int) async throws -> String {
        try await DiskCacheStore(folder.path).put(.sample(), .sample(size))
        return try unwrap(folder.entries.first)
    }

    @Test("serves no file of another URL or another partition")
    func swappedFiles() async throws {
        let folder = try Folder()
        let file = try await stored(folder, size: 100)
        let content = try unwrap(folder.content(file))
        let other = StoredResponse.sample("https://example.com/other", id: 1)
        let partition = StoredResponse.sample(partition: "p", id: 1)
        let store = DiskCacheStore(folder.path)
        try await store.put(other, Data("other".utf8))
        try await store.put(partition, Data("partition".utf8))

        for name in folder.entries where name != file {
            try folder.change(name) { $0 = content }
        }
        let fresh = DiskCacheStore(folder.path)

        try await expectTrue(fresh.responses(for: other.key).isEmpty)
        try await expectTrue(fresh.responses(for: partition.key).isEmpty)
        try await expectEqual(fresh.responses(for: StoredResponse.sample().key).count, 1)
        expectEqual(folder.entries, [file])
    }

    @Test("ignores an updated head that is damaged or another response's")
    func damagedLaterHead() async throws {
        let folder = try Folder()
        let file = try await stored(folder, size: 100)
        let store = DiskCacheStore(folder.path)
        let changes: [(inout Data) -> Void] = [
            { $0 = Data() }, { $0[70] ^= 1 }, { $0 = folder.content(file) ?? Data() },
        ]

        for change in changes {
            try await store.update(.sample(headers: ["ETag": "later"]))
            expectEqual(folder.entries.count, 2)
            try folder.change(file + ".fresh", change)

            let found = try await DiskCacheStore(folder.path)
                .responses(for: StoredResponse.sample().key)
            expectEqual(found.map(\.headers), [["Content-Type": "text/plain"]])
            expectEqual(folder.entries, [file])
        }
    }

    @Test("removes an updated head whose response is gone")
    func strayHead() async throws {
        let folder = try Folder()
        let file = try await stored(folder, size: 100)
        let store = DiskCacheStore(folder.path)
        try await store.update(.sample(headers: ["ETag": "later"]))
        unsafe unlink(folder[file])

        try await expectTrue(store.responses(for: StoredResponse.sample().key).isEmpty)
        try await expectEqual(store.usage(), CacheUsage(entries: 0, bytes: 0))
        expectEqual(folder.names, ["writing"])
    }

    @Test("keeps 64 variants of a URL at most, beside those of other partitions")
    func variants() async throws {
        let folder = try Folder()
        let clock = VirtualClock()
        let store = DiskCacheStore(folder.path, runtime: .virtual(clock: clock))
        try await store.put(.sample(partition: "p", id: 1000), .sample(10))

        for number in 0..<100 as Range<UInt64> {
            clock.advance(by: .seconds(1))
            let selection = [StoredResponse.Selector(name: "x-any", value: "\(number)")]
            try await store.put(.sample(id: number, selection: selection), .sample(10))
        }

        let ids = try await store.contents().map(\.id)
        expectEqual(ids, (36..<100).reversed() + [1000])
        try await expectEqual(store.responses(for: StoredResponse.sample().key).count, 64)
    }

    @Test("is reported if a file in it can't be removed")
    func unremovable() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        try await store.put(.sample(), .sample(10))
        let entry = folder[try unwrap(folder.entries.first)]
        try FileManager.default.removeItem(atPath: entry)
        try FileManager.default.createDirectory(
            atPath: entry + "/below",
            withIntermediateDirectories: true
        )

        let error = await #expect(throws: StoreError.self) { try await store.removeAll() }

        expectEqual(error?.code, .cannotWrite)
        expectEqual(error?.message.contains("cannot be removed"), true)
    }
}
