import Expectations
import Foundation
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("FileAttributes")
struct FileAttributesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("tell a file, a folder and a link, which isn't followed, apart")
    func kinds() throws {
        try folder.write(Data("abc".utf8), to: "file")
        try FileManager.default.createSymbolicLink(
            atPath: folder["link"],
            withDestinationPath: "file"
        )

        let found = [folder["file"], folder.path, folder["link"]].compactMap { FileAttributes($0) }

        expectEqual(found.map(\.isFile), [true, false, false])
        expectEqual(found.map(\.isFolder), [false, true, false])
        expectEqual(found.map(\.isLink), [false, false, true])
        expectEqual(found.first?.size, 3)
        expectTrue(FileAttributes(folder["none"]) == nil)
        expectTrue(FileAttributes(-1) == nil)
    }

    @Test(
        "tell whether others may write",
        arguments: [(0o600, false), (0o644, false), (0o620, true), (0o602, true), (0o000, false)]
    )
    func permissions(mode: UInt32, isWritable: Bool) throws {
        try folder.write(Data(), to: "file")
        folder.setPermissions(.init(mode), of: "file")

        expectEqual(FileAttributes(folder["file"])?.isWritableByOthers, isWritable)
    }

    @Test("tell that an open file has lost its name")
    func removed() throws {
        try folder.write(Data(), to: "file")
        let file = try unwrap(OpenFile(reading: folder["file"]))
        let inode = FileAttributes(folder["file"])?.inode
        expectEqual(file.attributes?.isRemoved, false)

        try FileManager.default.removeItem(atPath: folder["file"])

        expectEqual(file.attributes?.isRemoved, true)
        expectEqual(file.attributes?.inode, inode)
    }

    @Test(
        "count nanoseconds for every date there is",
        arguments: [
            (0, 0), (1.5, 1_500_000_000), (-1.5, -1_500_000_000),
            (1e300, 9_000_000_000_000_000_000),
            (-1e300, -9_000_000_000_000_000_000), (.nan, 0), (.infinity, 0),
        ] as [(Double, Int64)]
    )
    func nanoseconds(seconds: Double, expected: Int64) {
        expectEqual(Date(timeIntervalSince1970: seconds).nanoseconds, expected)
    }
}
