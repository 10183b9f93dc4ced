import Expectations
import Foundation
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

@Suite("DiskFolder")
struct DiskFolderTests {
    private func code(_ path: String) async -> StoreError.Code? {
        do {
            _ = try await DiskCacheStore(path).usage()
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }

    @Test("is created, with its files, for its owner alone")
    func permissions() async throws {
        let folder = try Folder()
        try await DiskCacheStore(folder["a/b/c"]).put(.sample(), .sample(10))

        let file = try unwrap(
            FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
        )
        expectEqual(file.count, 6)
        for name in file {
            var isFolder: ObjCBool = false
            _ = unsafe FileManager.default.fileExists(atPath: folder[name], isDirectory: &isFolder)
            expectEqual(folder.permissions(name), (isFolder.boolValue ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test("is refused if others can use it", arguments: [0o770, 0o702, 0o777, 0o755, 0o710])
    func openToOthers(mode: Int) async throws {
        let folder = try Folder()
        folder.setPermissions(mode_t(mode), of: "")

        await expectEqual(code(folder.path), .unsafeFolder)
        expectTrue(folder.names.isEmpty)

        folder.setPermissions(0o700, of: "")
        await expectEqual(code(folder.path), nil)
    }

    @Test(
        "is refused if another user owns it",
        .enabled(if: geteuid() == 0, "needs to give it away")
    )
    func otherOwner() async throws {
        let folder = try Folder()
        unsafe chown(folder.path, 1, 1)

        await expectEqual(code(folder.path), .unsafeFolder)
    }

    @Test(
        "is refused if it is a symbolic link, no matter who made it",
        arguments: ["link", "link/", "link//"]
    )
    func link(name: String) async throws {
        let folder = try Folder()
        let target = try Folder()
        try makeLink(at: folder["link"], to: target.path)

        await expectEqual(code(folder[name]), .unsafeFolder)
        expectTrue(target.names.isEmpty)
    }

    @Test(
        "is refused if its path contains another user's symbolic link",
        .enabled(if: geteuid() == 0, "needs to give it away"),
        arguments: ["link/cache", "link/.", "link/./cache/"]
    )
    func foreignLink(name: String) async throws {
        let folder = try Folder()
        let target = try Folder()
        try makeLink(at: folder["link"], to: target.path)
        unsafe lchown(folder["link"], 1, 1)

        await expectEqual(code(folder[name]), .unsafeFolder)
        expectTrue(target.names.isEmpty)
    }

    @Test("is reached over your own symbolic link")
    func ownLink() async throws {
        let folder = try Folder()
        let target = try Folder()
        try makeLink(at: folder["link"], to: target.path)

        await expectEqual(code(folder["link/cache"]), nil)
        expectEqual(target.names, ["cache"])
    }

    private func makeLink(at path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: target
        )
    }

    @Test("is reported if its path is invalid")
    func impossible() async throws {
        let folder = try Folder()
        try folder.write(Data(), to: "file")

        await expectEqual(code(""), .cannotRead)
        await expectEqual(code("a\0b"), .cannotRead)
        await expectEqual(code(folder["file"]), .cannotRead)
        await expectEqual(code(folder["file/below"]), .cannotWrite)
    }

    @Test("has file names that reveal nothing of the stored responses")
    func names() async throws {
        let folder = try Folder()

        try await DiskCacheStore(folder.path).put(
            .sample("https://example.com/?token=secret", partition: "secret"),
            .sample(10)
        )

        expectEqual(folder.entries.count, 1)
        expectTrue(!folder.entries[0].contains("secret"))
        expectEqual(folder.entries[0].utf8.count, 64 + 1 + 32)
    }
}
