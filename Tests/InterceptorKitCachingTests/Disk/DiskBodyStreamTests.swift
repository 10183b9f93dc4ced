import Expectations
import Foundation
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("DiskBodyStream")
struct DiskBodyStreamTests {
    @Test("streams a large body any number of times")
    func replays() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        let body = Data.sample(300_000)
        try await store.put(.sample(), body)

        let found = try await unwrap(store.body(of: .sample()))

        expectEqual(found.inMemory, nil)
        expectTrue(found.isReplayable)
        try await expectEqual(found.collect(), body)
        try await expectEqual(found.collect(), body)
    }

    @Test("fails rather than serve a body that changes while it is read")
    func changedWhileRead() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        try await store.put(.sample(), .sample(300_000))
        let file = try unwrap(folder.entries.first)
        let body = try await unwrap(store.body(of: .sample()))
        var chunks = body.makeAsyncIterator()
        try await expectEqual(chunks.next(), .sample(300_000).prefix(65_536))

        try folder.change(file) { $0[$0.count - 1000] ^= 1 }

        let error = await #expect(throws: StoreError.self) {
            while try await chunks.next() != nil {}
        }
        expectEqual(error?.code, .damaged)
    }

    @Test("removes a large body that was damaged between two uses of it")
    func damagedBetweenUses() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        try await store.put(.sample(), .sample(300_000))
        let file = try unwrap(folder.entries.first)
        let first = try await unwrap(store.body(of: .sample()))
        try await expectEqual(first.collect().count, 300_000)
        try folder.change(file) { $0[$0.count - 1000] ^= 1 }

        let second = try await unwrap(store.body(of: .sample()))
        let error = await #expect(throws: StoreError.self) { try await second.collect() }

        expectEqual(error?.code, .damaged)
        try await expectTrue(store.body(of: .sample()) == nil)
        expectTrue(folder.entries.isEmpty)
    }

    @Test("throws for a reader that was cancelled between two blocks")
    func cancelled() async throws {
        let folder = try Folder()
        let body = Data.sample(100_000)
        try await DiskCacheStore(folder.path).put(.sample(), body)
        let name = try unwrap(folder.entries.first)
        let file = try unwrap(EntryFile(folder[name]))
        let sums = [body.prefix(65_536), body.dropFirst(65_536)].map {
            XXHash64.sum($0, seed: file.header.nonce)
        }
        let stream = DiskBodyStream(file, sums, ComparedFiles())

        try await expectEqual(stream.next(), body.prefix(65_536))
        stream.cancel()

        await #expect(throws: CancellationError.self) { try await stream.next() }
    }
}
