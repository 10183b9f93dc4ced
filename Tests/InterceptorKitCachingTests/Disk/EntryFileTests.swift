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

@Suite("EntryFile, changed since it was written")
struct EntryFileTests {
    /// One of a size that is read at once, and one that is streamed.
    static let sizes = [1000, 200_000]

    private func stored(_ folder: Folder, size: Int) async throws -> String {
        try await DiskCacheStore(folder.path).put(.sample(), .sample(size))
        return try unwrap(folder.entries.first)
    }

    /// Whether the response counts as absent, and its file is gone.
    /// - Parameter listed: Whether it is found at first, since its head is what was written.
    private func isForgotten(_ folder: Folder, listed: Bool = false) async throws -> Bool {
        let store = DiskCacheStore(folder.path)
        let found = try await store.responses(for: StoredResponse.sample().key)
        let body = try await store.body(of: .sample())
        let left = try await store.responses(for: StoredResponse.sample().key)
        return found.isEmpty == !listed && body == nil && left.isEmpty && folder.entries.isEmpty
    }

    @Test("serves no truncated file", arguments: sizes)
    func truncated(size: Int) async throws {
        let folder = try Folder()
        let whole = try folder.content(await stored(folder, size: size))?.count ?? 0

        for left in [0, 1, 8, 47, 48, 200, whole / 2, whole - 8, whole - 1] {
            let file = try await stored(folder, size: size)
            try folder.change(file) { $0 = $0.prefix(left) }

            try await expectTrue(isForgotten(folder), "\(left) of \(whole) bytes")
        }
    }

    @Test("serves no file that grew", arguments: sizes)
    func extended(size: Int) async throws {
        let folder = try Folder()
        let file = try await stored(folder, size: size)

        try folder.change(file) { $0.append(0) }

        try await expectTrue(isForgotten(folder))
    }

    @Test("serves no file with a flipped bit, wherever it is")
    func flippedBit() async throws {
        let folder = try Folder()
        let whole = try folder.content(await stored(folder, size: 300))?.count ?? 0

        for index in 0..<whole {
            let file = try await stored(folder, size: 300)
            try folder.change(file) { $0[index] ^= 1 << UInt8(index % 8) }
            let store = DiskCacheStore(folder.path)
            _ = try await store.responses(for: StoredResponse.sample().key)

            try await expectTrue(store.body(of: .sample()) == nil, "byte \(index)")
            expectTrue(folder.entries.isEmpty, "byte \(index)")
        }
    }

    @Test("serves no file of several blocks with a flipped bit in one of them")
    func flippedBitOfBlock() async throws {
        let folder = try Folder()
        let whole = try folder.content(await stored(folder, size: 200_000))?.count ?? 0

        for index in stride(from: 0, to: whole, by: 7919) {
            let file = try await stored(folder, size: 200_000)
            try folder.change(file) { $0[index] ^= 0x10 }
            let store = DiskCacheStore(folder.path)
            _ = try await store.responses(for: StoredResponse.sample().key)

            try await expectTrue(store.body(of: .sample()) == nil, "byte \(index)")
            expectTrue(folder.entries.isEmpty, "byte \(index)")
        }
    }

    @Test("serves no body with swapped blocks")
    func swappedBlocks() async throws {
        let folder = try Folder()
        let file = try await stored(folder, size: 200_000)
        try folder.change(file) { bytes in
            let start = bytes.count - 200_000 - 4 * 8
            let first = Data(bytes[start..<start + 65_536])
            let second = Data(bytes[start + 65_536..<start + 131_072])
            bytes.replaceSubrange(start..<start + 131_072, with: second + first)
        }

        try await expectTrue(isForgotten(folder, listed: true))
    }

    @Test("serves no head with another response's body", arguments: sizes)
    func swappedBodies(size: Int) async throws {
        let folder = try Folder()
        let file = try await stored(folder, size: size)
        let first = try unwrap(folder.content(file))
        try await DiskCacheStore(folder.path).put(.sample(), .sample(size, seed: 2))
        let second = try unwrap(folder.content(file))
        // Alike but for what was drawn and the body: heads of the same length.
        expectEqual(first.count, second.count)
        let tail = size + (size + 65_535) / 65_536 * 8

        try folder.change(file) { $0 = first.dropLast(tail) + second.suffix(tail) }

        try await expectTrue(isForgotten(folder, listed: true))
    }

    @Test("ignores a file that it didn't write", arguments: ["", "hello", "IKENTRY9"])
    func foreign(text: String) async throws {
        let folder = try Folder()
        let file = try await stored(folder, size: 1000)

        // Also a version that does not exist, with all else in order.
        try folder.change(file) { bytes in
            if text.hasPrefix("IK") {
                bytes.replaceSubrange(0..<8, with: Data(text.utf8))
            } else {
                bytes = Data(text.utf8)
            }
        }

        try await expectTrue(isForgotten(folder))
    }

    @Test("follows no symbolic link, and leaves its target alone")
    func linked() async throws {
        let folder = try Folder()
        let elsewhere = try Folder()
        let file = try await stored(folder, size: 1000)
        let content = try unwrap(folder.content(file))
        try elsewhere.write(content, to: "file")
        elsewhere.setPermissions(0o600, of: "file")
        unsafe unlink(folder[file])
        unsafe symlink(elsewhere["file"], folder[file])

        try await expectTrue(isForgotten(folder))
        expectEqual(elsewhere.content("file"), content)

        let directory = try unwrap(file.split(separator: "/").first).description
        unsafe rmdir(folder[directory])
        unsafe symlink(elsewhere.path, folder[directory])
        try await expectTrue(isForgotten(folder))
        try await DiskCacheStore(folder.path).removeAll()
        expectEqual(elsewhere.names, ["file"])
    }

    @Test("doesn't block on a file that isn't regular")
    func pipes() async throws {
        let folder = try Folder()
        let file = try await stored(folder, size: 1000)
        unsafe unlink(folder[file])
        unsafe mkfifo(folder[file], 0o600)

        try await expectTrue(isForgotten(folder))
    }

    @Test("ignores a folder in place of a file")
    func folders() async throws {
        let folder = try Folder()
        let file = try await stored(folder, size: 1000)
        unsafe unlink(folder[file])
        unsafe mkdir(folder[file], 0o700)
        let store = DiskCacheStore(folder.path)

        try await expectTrue(store.responses(for: StoredResponse.sample().key).isEmpty)
        try await expectTrue(store.body(of: .sample()) == nil)
        await #expect(throws: StoreError.self) { try await store.put(.sample(), .sample(10)) }
        expectTrue(folder.pendingFiles.isEmpty)
    }

    @Test("ignores a file that others can write")
    func writableByOthers() async throws {
        let folder = try Folder()
        let file = try await stored(folder, size: 1000)
        folder.setPermissions(0o666, of: file)

        try await expectTrue(isForgotten(folder))
    }
}
