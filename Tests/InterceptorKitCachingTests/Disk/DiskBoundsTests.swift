import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("DiskBounds")
struct DiskBoundsTests {
    private let clock = VirtualClock()

    private func url(_ number: Int) -> String { "https://example.com/\(number)" }

    private func put(_ number: Int, _ size: Int = 100, in store: DiskCacheStore) async throws {
        clock.advance(by: .seconds(1))
        try await store.put(.sample(url(number), id: UInt64(number)), .sample(size))
    }

    @Test("counts its files again after a failed count, and then evicts")
    func failedLook() async throws {
        let sizeTracker = SizeTracker()
        var looks = 0

        #expect(throws: Problem.self) {
            try sizeTracker.note(bytes: 10, entries: 1) {
                looks += 1
                throw Problem()
            }
        }
        for _ in 0..<3 {
            try sizeTracker.note(bytes: 10, entries: 1) {
                looks += 1
                return CacheUsage(entries: 100, bytes: 100)
            }
        }

        expectEqual(looks, 2)
    }

    @Test("stays within its bytes, heads included")
    func bytes() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(
            folder.path,
            maxBytes: 100_000,
            runtime: .virtual(clock: clock)
        )

        for number in 1...30 {
            try await put(number, 9000, in: store)
            let usage = try await store.usage()
            expectTrue(usage.bytes <= 100_000)
            expectTrue(usage.entries >= min(number, 9))
        }
        try await expectEqual(store.urls().first, url(30))
    }

    @Test("counts updated heads")
    func laterHeads() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(
            folder.path,
            maxBytes: 20_000,
            runtime: .virtual(clock: clock)
        )
        for number in 1...2 { try await put(number, 5000, in: store) }

        clock.advance(by: .seconds(1))
        let long: HTTP.Headers = ["X-Long": String(repeating: "x", count: 12_000)]
        try await store.update(.sample(url(2), id: 2, headers: long))

        try await expectEqual(store.urls(), [url(2)])
        expectEqual(folder.entries.count, 2)
    }

    @Test("takes no response that would be evicted first")
    func largest() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(
            folder.path,
            maxBytes: 100_000,
            runtime: .virtual(clock: clock)
        )
        try await expectTrue(store.writer(for: .sample(), length: 94_000) == nil)

        try await put(1, 93_000, in: store)
        try await put(2, 93_000, in: store)

        try await expectEqual(store.urls(), [url(2)])
    }

    @Test("stores nothing if a limit is zero", arguments: [(0, 10), (10, 0), (-1, -1)])
    func noRoom(bytes: Int, entries: Int) async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path, maxBytes: bytes, maxEntries: entries)

        try await expectTrue(store.writer(for: .sample(), length: nil) == nil)
    }
}
