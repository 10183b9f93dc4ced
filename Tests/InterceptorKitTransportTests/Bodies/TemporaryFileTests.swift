import Expectations
import Foundation
import Testing

@testable import InterceptorKitTransport

@Suite("TemporaryFile")
struct TemporaryFileTests {
    @Test("is private to its owner and deleted with its last reference")
    func keeps() throws {
        let folder = try TemporaryFolder()
        var file: TemporaryFile? = try TemporaryFile(in: folder.path)
        let path = try unwrap(file?.name.path)

        try file?.write(Data("hello".utf8), at: 3)
        let read = try file?.read(3..<8)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        let whileOpen = folder.contents.count
        file = nil

        expectEqual(read, Data("hello".utf8))
        expectEqual(mode, 0o600)
        expectEqual(whileOpen, 1)
        expectEqual(folder.contents, [])
    }

    @Test("can still be read after its name is removed")
    func unlinked() throws {
        let folder = try TemporaryFolder()
        let file = try TemporaryFile(in: folder.path)

        file.name.remove()
        try file.write(Data("hello".utf8), at: 0)

        expectEqual(folder.contents, [])
        try expectEqual(file.read(0..<5), Data("hello".utf8))
    }

    @Test("reports why it cannot be created, without its name")
    func noFolder() {
        let error = #expect(throws: StorageError.self) {
            try TemporaryFile(in: "/nowhere")
        }

        expectEqual(error?.number, ENOENT)
        expectEqual(error?.text(folder: "/nowhere").contains("InterceptorKit-"), false)
    }

    @Test(
        "says that the disk is full",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))
    )
    func fullDisk() throws {
        let file = TemporaryFile(descriptor: unsafe open("/dev/full", O_WRONLY | O_CLOEXEC))

        let error = #expect(throws: StorageError.self) {
            try file.write(Data("hello".utf8), at: 0)
        }

        expectEqual(error, StorageError(action: "written", number: ENOSPC))
    }

    @Test("refuses to read bytes that were never written")
    func short() throws {
        let folder = try TemporaryFolder()
        let file = try TemporaryFile(in: folder.path)

        #expect(throws: StorageError.self) { try file.read(0..<1) }
    }
}
