import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCaching
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("DiskCacheWriter")
struct DiskCacheWriterTests {
    private func url(_ number: Int) -> String { "https://example.com/\(number)" }

    @Test("accepts bodies in pieces of any size")
    func pieces() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        let body = Data.sample(400_000)
        let writer = try await unwrap(store.writer(for: .sample(), length: nil))

        var rest = body
        var size = 1
        while !rest.isEmpty {
            try await writer.write(rest.prefix(size))
            rest = rest.dropFirst(size)
            size = size * 3 + 1
        }
        try await writer.commit()

        try await expectEqual(store.bytes(of: .sample()), body)
    }

    @Test("finds no response before it is committed, and leaves no file without")
    func uncommitted() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        var writer = try await store.writer(for: .sample(), length: nil)
        try await writer?.write(.sample(200_000))

        try await expectTrue(store.responses(for: StoredResponse.sample().key).isEmpty)
        expectEqual(folder.pendingFiles.count, 1)
        writer = nil

        expectTrue(folder.pendingFiles.isEmpty)
        expectTrue(folder.entries.isEmpty)
    }

    @Test("may be abandoned while it stores its response")
    func abandonedMeanwhile() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        let writer = try await unwrap(store.writer(for: .sample(), length: nil))
        try await writer.write(.sample(200_000))

        let isStored = try await writer.commit {
            writer.abandon()
            return true
        }

        expectTrue(isStored && folder.pendingFiles.isEmpty)
        try await expectEqual(store.bytes(of: .sample()), .sample(200_000))
    }

    @Test(
        "discards a complete response whose commit is declined",
        arguments: [10, 200_000]
    )
    func unwanted(size: Int) async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        let writer = try await unwrap(store.writer(for: .sample(), length: nil))
        try await writer.write(.sample(size))

        try await expectTrue(!writer.commit(if: { false }))
        try await expectTrue(!writer.commit(if: { true }))

        expectTrue(folder.pendingFiles.isEmpty)
        expectTrue(folder.entries.isEmpty)
    }

    @Test("removes an abandoned response, and keeps a committed one")
    func abandoned() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path)
        let lost = try await unwrap(store.writer(for: .sample(id: 1), length: nil))
        try await lost.write(.sample(200_000))
        lost.abandon()
        try await lost.write(.sample(200_000))
        try await lost.commit()

        expectTrue(folder.pendingFiles.isEmpty)
        expectTrue(folder.entries.isEmpty)

        let kept = try await unwrap(store.writer(for: .sample(id: 2), length: nil))
        try await kept.write(.sample(200_000))
        try await kept.commit()
        kept.abandon()

        try await expectEqual(store.bytes(of: .sample(id: 2)), .sample(200_000))
    }

    @Test("stores no response that is too large, with or without known length")
    func tooLarge() async throws {
        let folder = try Folder()
        let store = DiskCacheStore(folder.path, maxEntryBytes: 100_000)
        try await expectTrue(store.writer(for: .sample(), length: 100_000) == nil)

        let writer = try await unwrap(store.writer(for: .sample(), length: nil))
        try await writer.write(.sample(90_000))
        let error = await #expect(throws: StoreError.self) {
            try await writer.write(.sample(90_000))
        }

        expectEqual(error?.code, .tooLarge)
        expectTrue(folder.pendingFiles.isEmpty)
        try await writer.commit()
        expectTrue(folder.entries.isEmpty)
    }

    @Test(
        "reports a full disk, removes the partial file and serves the rest",
        .enabled(if: Mount.isPossible, "mounts a file system of its own, as root on Linux")
    )
    func fullDisk() async throws {
        let folder = try Folder()
        let mount = try unwrap(Mount(folder, size: 512 * 1024))
        defer { mount.end() }
        let store = DiskCacheStore(folder["disk"])
        try await store.put(.sample(url(1), id: 1), .sample(200_000))

        let large = try await unwrap(store.writer(for: .sample(url(2), id: 2), length: nil))
        let error = await #expect(throws: StoreError.self) {
            for _ in 0..<10 { try await large.write(.sample(65_536)) }
        }
        expectEqual(error?.code, .noSpace)
        try await expectEqual(store.urls(), [url(1)])
        try await expectEqual(store.bytes(of: .sample(url(1), id: 1)), .sample(200_000))

        // There is room again for what fits.
        try await store.put(.sample(url(3), id: 3), .sample(100_000))
        try await expectEqual(store.bytes(of: .sample(url(3), id: 3)), .sample(100_000))
    }

    @Test(
        "reports that the system refuses further writes",
        .enabled(if: FillingProcess.isBuilt, "the program was not built")
    )
    func limitedFiles() async throws {
        let folder = try Folder()

        let said = try await FillingProcess.output(["overfill", folder.path])

        expectEqual(said, "noSpace\n0\n")
        expectTrue(folder.pendingFiles.isEmpty)
        expectTrue(folder.entries.isEmpty)
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
