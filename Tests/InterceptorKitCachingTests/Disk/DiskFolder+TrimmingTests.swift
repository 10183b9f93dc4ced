import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("DiskFolder, making room")
struct DiskFolderTrimmingTests {
    private let clock = VirtualClock()

    private func url(_ number: Int) -> String { "https://example.com/\(number)" }

    private func put(_ number: Int, _ size: Int = 100, in store: DiskCacheStore) async throws {
        clock.advance(by: .seconds(1))
        try await store.put(.sample(url(number), id: UInt64(number)), .sample(size))
    }

    @Test("evicts the least recently used responses")
    func leastRecentlyUsed() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(
            folder.path,
            maxEntries: 3,
            runtime: .virtual(clock: clock)
        )
        for number in 1...3 { try await put(number, in: store) }

        clock.advance(by: .seconds(1))
        _ = try await store.body(of: .sample(url(1), id: 1))
        try await put(4, in: store)
        try await expectEqual(store.urls(), [4, 1, 3].map(url))

        try await put(5, in: store)
        try await expectEqual(store.urls(), [5, 4, 1].map(url))
        expectEqual(folder.entries.count, 3)
        expectEqual(folder.names.count, 4)
    }

    @Test("doesn't count reading a head as a use")
    func looking() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(
            folder.path,
            maxEntries: 2,
            runtime: .virtual(clock: clock)
        )
        for number in 1...2 { try await put(number, in: store) }

        clock.advance(by: .seconds(1))
        _ = try await store.responses(for: CacheKey(url: url(1)))
        try await put(3, in: store)

        try await expectEqual(store.urls(), [3, 2].map(url))
    }

    @Test("keeps streaming a body whose response was evicted")
    func evictedWhileRead() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(
            folder.path,
            maxEntries: 1,
            runtime: .virtual(clock: clock)
        )
        try await put(1, 300_000, in: store)
        let body = try await unwrap(store.body(of: .sample(url(1), id: 1)))
        var chunks = body.makeAsyncIterator()
        var read = try await chunks.next() ?? Data()

        try await put(2, in: store)
        try await expectEqual(store.urls(), [url(2)])
        while let chunk = try await chunks.next() { read += chunk }

        expectEqual(read, .sample(300_000))
        try await expectEqual(body.collect(), .sample(300_000))
    }
}
