import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCaching
import TestSupport
import Testing

@Suite("DiskCacheStore sharing a folder")
struct DiskCacheSharingTests {
    @Test("sees what the other stores, updates, replaces and removes")
    func seesChanges() async throws {
        let folder = try Folder()
        let (one, other) = (DiskCacheStore(folder.path), DiskCacheStore(folder.path))
        let key = StoredResponse.sample().key
        func ids() async throws -> [UInt64] { try await other.responses(for: key).map(\.id) }
        try await expectTrue(ids().isEmpty)

        try await one.put(.sample(id: 1), Data("1".utf8))
        try await expectEqual(ids(), [1])
        try await expectEqual(other.bytes(of: .sample(id: 1)), Data("1".utf8))

        try await one.update(.sample(id: 1, headers: ["ETag": "later"]))
        try await expectEqual(other.responses(for: key).map(\.headers), [["ETag": "later"]])

        try await one.put(.sample(id: 2), Data("2".utf8))
        try await expectEqual(ids(), [2])

        try await one.remove(.sample(id: 2))
        try await expectTrue(ids().isEmpty)
        try await expectTrue(other.body(of: .sample(id: 2)) == nil)

        try await one.put(.sample(id: 3), Data("3".utf8))
        try await expectEqual(ids(), [3])
        try await one.removeAll(for: key.url)
        try await expectTrue(ids().isEmpty)
    }

    @Test("sees the other's changes also long after it has read a head")
    func seesLaterChanges() async throws {
        let folder = try Folder()
        let (one, other) = (DiskCacheStore(folder.path), DiskCacheStore(folder.path))
        let key = StoredResponse.sample().key
        try await one.put(.sample(id: 1), Data("1".utf8))
        let directory = try unwrap(folder.entries.first?.split(separator: "/").first).description
        // As if it had been stored an hour ago, so that the head is kept in memory.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)],
            ofItemAtPath: folder[directory]
        )
        for _ in 1...2 { try await expectEqual(other.responses(for: key).map(\.id), [1]) }

        try await one.update(.sample(id: 1, headers: ["ETag": "later"]))
        try await expectEqual(other.responses(for: key).map(\.headers), [["ETag": "later"]])
        try await one.removeAll(for: key.url)
        try await expectTrue(other.responses(for: key).isEmpty)
    }

    @Test("serves one writer's whole response if many write the same one")
    func concurrentWriters() async throws {
        let folder = try Folder()
        let stores = [DiskCacheStore(folder.path), DiskCacheStore(folder.path)]
        let key = StoredResponse.sample().key

        try await withThrowingTaskGroup { group in
            for writer in 0..<16 {
                group.addTask {
                    for round in 0..<10 {
                        let id = UInt64(writer * 100 + round)
                        let body = Data.sample(round % 2 == 0 ? 500 : 100_000, seed: id)
                        try await stores[writer % 2].put(.sample(id: id), body)
                        for response in try await stores[writer % 2].responses(for: key) {
                            // Gone, if another took its place meanwhile.
                            let found = try await stores[writer % 2].bytes(of: response)
                            let wanted = Data.sample(
                                response.id % 2 == 0 ? 500 : 100_000,
                                seed: response.id
                            )
                            expectTrue(found == nil || found == wanted)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }

        let left = try await stores[0].responses(for: key)
        expectEqual(left.count, 1)
        try await expectTrue(stores[1].bytes(of: left[0]) != nil)
        expectEqual(folder.entries.count, 1)
        expectTrue(folder.pendingFiles.isEmpty)
    }

    @Test("stores a response whole or not at all while the other removes all")
    func removalMeanwhile() async throws {
        let folder = try Folder()
        let (one, other) = (DiskCacheStore(folder.path), DiskCacheStore(folder.path))

        try await withThrowingTaskGroup { group in
            group.addTask {
                for id in 0..<200 as Range<UInt64> {
                    try await one.put(.sample(id: id), .sample(100, seed: id))
                }
            }
            group.addTask { for _ in 0..<200 { try await other.removeAll() } }
            try await group.waitForAll()
        }

        for response in try await one.contents() {
            try await expectEqual(one.bytes(of: response), .sample(100, seed: response.id))
        }
        expectTrue(folder.pendingFiles.isEmpty)
    }

    @Test("removes what a dead process was writing, and nothing of a live one")
    func staleDrafts() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        let writer = try await unwrap(store.writer(for: .sample(), length: nil))
        try await writer.write(.sample(200_000))
        let living = folder.pendingFiles
        let dead = String(repeating: "0a", count: 16)
        try folder.write(Data("dead".utf8), to: "writing/\(dead)")
        try folder.write(Data("mine".utf8), to: "writing/notes.txt")

        _ = try await DiskCacheStore(folder.path).usage()

        expectEqual(Set(folder.pendingFiles), Set(living + ["notes.txt"]))
        try await writer.commit()
        try await expectEqual(store.bytes(of: .sample()), .sample(200_000))
    }

    @Test("keeps the shared limits to within a sixteenth of each")
    func sharedBounds() async throws {
        let folder = try Folder()
        let stores = (0..<4).map { _ in DiskCacheStore(folder.path, maxEntries: 64) }

        for round in 0..<60 as Range<UInt64> {
            for (index, store) in stores.enumerated() {
                let id = round * 4 + UInt64(index)
                try await store.put(.sample("https://example.com/\(id)", id: id), .sample(10))
                try await expectTrue(store.usage().entries <= 64 + 4 * 4)
            }
        }
    }
}
