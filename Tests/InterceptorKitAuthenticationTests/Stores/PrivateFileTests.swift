import Expectations
import Foundation
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("PrivateFile")
struct PrivateFileTests {
    @Test("reports what couldn't be done, and leaves no temporary file")
    func refused() throws {
        let folder = try Folder()
        let file = PrivateFile(path: folder["folder"])
        try FileManager.default.createDirectory(
            atPath: folder["folder/below"],
            withIntermediateDirectories: true
        )
        let nowhere = PrivateFile(path: folder["none/file"])

        let errors = [
            #expect(throws: CredentialStoreError.self) { try file.write(Data("a".utf8)) },
            #expect(throws: CredentialStoreError.self) { try file.remove() },
            #expect(throws: CredentialStoreError.self) { try nowhere.write(Data("a".utf8)) },
            #expect(throws: CredentialStoreError.self) { try nowhere.lock() },
        ]

        expectEqual(errors[0]?.message.contains("cannot be replaced: "), true)
        expectEqual(errors[1]?.message.contains("cannot be removed: "), true)
        expectEqual(errors[2]?.message.contains("cannot be opened: "), true)
        expectEqual(errors[3]?.message.contains("cannot be opened: "), true)
        expectEqual(errors[0]?.code, .cannotWrite)
        try expectEqual(nowhere.read(), nil)
        expectEqual(folder.names, ["folder"])
    }

    @Test("writes nothing that it would not read, and keeps what it held")
    func large() throws {
        let folder = try Folder()
        let file = PrivateFile(path: folder["file"])
        let most = Data(repeating: 1, count: 1 << 20)
        try file.write(most)

        let error = #expect(throws: CredentialStoreError.self) { try file.write(most + [1]) }

        expectEqual(error?.code, .cannotWrite)
        try expectEqual(file.read(), most)
    }

    #if os(Linux)
    @Test(
        "keeps what it held when the disk is full",
        .enabled(if: SmallDisk.isPossible, "Only root may mount a small file system.")
    )
    func full() throws {
        let disk = try SmallDisk()
        defer { disk.unmount() }
        let file = PrivateFile(path: disk.folder["file"])
        try file.write(Data("old".utf8))
        disk.fill()

        let error = #expect(throws: CredentialStoreError.self) { try file.write(Data("new".utf8)) }

        expectEqual(error?.code, .cannotWrite)
        try expectEqual(file.read(), Data("old".utf8))
        expectEqual(disk.folder.names, ["file", "filling"])
    }
    #endif

    @Test("is removed after any failure, and also if it doesn't exist")
    func removed() throws {
        let folder = try Folder()
        let file = PrivateFile(path: folder["file"])
        try file.write(Data("a".utf8))

        errno = EACCES
        try file.remove()
        try file.remove()

        expectTrue(folder.names.isEmpty)
    }
}
