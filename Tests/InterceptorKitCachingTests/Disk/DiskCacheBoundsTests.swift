import Foundation
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("DiskCacheStore and its limits")
struct DiskCacheBoundsTests {
    private let clock = VirtualClock()

    private func url(_ number: Int) -> String { "https://example.com/\(number)" }

    private func put(_ number: Int, _ size: Int = 100, in store: DiskCacheStore) async throws {
        clock.advance(by: .seconds(1))
        try await store.put(.sample(url(number), id: UInt64(number)), .sample(size))
    }

    @Test("counts its files again after a failed count, and then evicts")
    func failedLook() async throws {
        let growth = DiskGrowth()
        var looks = 0

        #expect(throws: Problem.self) {
            try growth.note(bytes: 10, entries: 1) {
                looks += 1
                throw Problem()
            }
        }
        for _ in 0..<3 {
            try growth.note(bytes: 10, entries: 1) {
                looks += 1
                return CacheUsage(entries: 100, bytes: 100)
            }
        }

        #expect(looks == 2)
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
        #expect(try await store.urls() == [4, 1, 3].map(url))

        try await put(5, in: store)
        #expect(try await store.urls() == [5, 4, 1].map(url))
        #expect(folder.entries.count == 3)
        #expect(folder.names.count == 4)
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

        #expect(try await store.urls() == [3, 2].map(url))
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
            #expect(usage.bytes <= 100_000)
            #expect(usage.entries >= min(number, 9))
        }
        #expect(try await store.urls().first == url(30))
    }

    @Test("keeps 64 variants of a URL at most, beside those of other partitions")
    func variants() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path, runtime: .virtual(clock: clock))
        try await store.put(.sample(url(0), partition: "p", id: 1000), .sample(10))

        for number in 0..<100 as Range<UInt64> {
            clock.advance(by: .seconds(1))
            let selection = [StoredResponse.Selector(name: "x-any", value: "\(number)")]
            try await store.put(.sample(url(0), id: number, selection: selection), .sample(10))
        }

        let ids = try await store.contents().map(\.id)
        #expect(ids == (36..<100).reversed() + [1000])
        #expect(try await store.responses(for: CacheKey(url: url(0))).count == 64)
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

        #expect(try await store.urls() == [url(2)])
        #expect(folder.entries.count == 2)
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
        let body = try #require(try await store.body(of: .sample(url(1), id: 1)))
        var chunks = body.makeAsyncIterator()
        var read = try await chunks.next() ?? Data()

        try await put(2, in: store)
        #expect(try await store.urls() == [url(2)])
        while let chunk = try await chunks.next() { read += chunk }

        #expect(read == .sample(300_000))
        #expect(try await body.collect() == .sample(300_000))
    }

    @Test("stores no response that is too large, with or without known length")
    func tooLarge() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path, maxEntryBytes: 100_000)
        #expect(try await store.writer(for: .sample(), length: 100_000) == nil)

        let writer = try #require(try await store.writer(for: .sample(), length: nil))
        try await writer.write(.sample(90_000))
        let error = await #expect(throws: CacheStoreError.self) {
            try await writer.write(.sample(90_000))
        }

        #expect(error?.code == .tooLarge)
        #expect(folder.drafts.isEmpty)
        try await writer.commit()
        #expect(folder.entries.isEmpty)
    }

    @Test("takes no response that would be evicted first")
    func largest() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(
            folder.path,
            maxBytes: 100_000,
            runtime: .virtual(clock: clock)
        )
        #expect(try await store.writer(for: .sample(), length: 94_000) == nil)

        try await put(1, 93_000, in: store)
        try await put(2, 93_000, in: store)

        #expect(try await store.urls() == [url(2)])
    }

    @Test("stores nothing if a limit is zero", arguments: [(0, 10), (10, 0), (-1, -1)])
    func noRoom(bytes: Int, entries: Int) async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path, maxBytes: bytes, maxEntries: entries)

        #expect(try await store.writer(for: .sample(), length: nil) == nil)
    }

    @Test(
        "reports a full disk, removes the partial file and serves the rest",
        .enabled(if: Mount.isPossible, "mounts a file system of its own, as root on Linux")
    )
    func fullDisk() async throws {
        let folder = try Folder()
        let mount = try #require(Mount(folder, size: 512 * 1024))
        defer { mount.end() }
        let store = DiskCacheStore(folder["disk"])
        try await store.put(.sample(url(1), id: 1), .sample(200_000))

        let large = try #require(try await store.writer(for: .sample(url(2), id: 2), length: nil))
        let error = await #expect(throws: CacheStoreError.self) {
            for _ in 0..<10 { try await large.write(.sample(65_536)) }
        }
        #expect(error?.code == .noSpace)
        #expect(try await store.urls() == [url(1)])
        #expect(try await store.bytes(of: .sample(url(1), id: 1)) == .sample(200_000))

        // There is room again for what fits.
        try await store.put(.sample(url(3), id: 3), .sample(100_000))
        #expect(try await store.bytes(of: .sample(url(3), id: 3)) == .sample(100_000))
    }

    @Test(
        "reports that the system refuses further writes",
        .enabled(if: FillingProcess.isBuilt, "the program was not built")
    )
    func limitedFiles() async throws {
        let folder = try Folder()

        let said = try await FillingProcess.output(["overfill", folder.path])

        #expect(said == "noSpace\n0\n")
        #expect(folder.drafts.isEmpty)
        #expect(folder.entries.isEmpty)
    }
}

/// A small file system in memory.
struct Mount {
    private let path: String

    static var isPossible: Bool {
        guard let folder = try? Folder(), let mount = Mount(folder, size: 65_536) else {
            return false
        }
        mount.end()
        return true
    }

    init?(_ folder: Folder, size: Int) {
        #if os(Linux)
        path = folder["disk"]
        guard unsafe mkdir(path, 0o700) == 0 else { return nil }
        let result = unsafe "size=\(size),mode=700".withCString { options in
            unsafe mount("tmpfs", path, "tmpfs", 0, options)
        }
        guard result == 0 else { return nil }
        #else
        return nil
        #endif
    }

    func end() {
        #if os(Linux)
        unsafe umount2(path, Int32(MNT_DETACH))
        #endif
    }
}
