import Expectations
import Foundation
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("PendingFile")
struct PendingFileTests {
    private let around: Folder
    private let folder: DiskFolder
    private let name = String(repeating: "a", count: 32)

    init() throws {
        around = try Folder()
        folder = DiskFolder(path: around["cache"])
        try folder.prepare()
    }

    @Test("fails if every name for a temporary file is taken")
    func takenNames() throws {
        let first = try PendingFile(in: folder) { name }

        let error = #expect(throws: StoreError.self) { try PendingFile(in: folder) { name } }

        expectEqual(error?.code, .cannotWrite)
        withExtendedLifetime(first) {}
    }

    @Test("goes with its last reference, but not once it was published")
    func lifetime() throws {
        let slot = "\(around["cache/directory"])/slot"
        var pending: PendingFile? = try PendingFile(in: folder) { name }
        try pending?.write([1, 2, 3], at: 2)
        expectEqual(around.content("cache/writing/\(name)"), Data([0, 0, 1, 2, 3]))

        pending = nil
        expectTrue(FileAttributes(folder.pendingFiles + "/" + name) == nil)

        pending = try PendingFile(in: folder) { name }
        try pending?.write([9], at: 0)
        // The directory is not there yet.
        try pending?.publish(as: "slot", on: around["cache/directory"], at: 5_000_000_000)
        pending?.discard()
        pending = nil
        expectEqual(around.content("cache/directory/slot"), Data([9]))
        expectEqual(FileAttributes(slot)?.modified, 5_000_000_000)
    }

    @Test("is begun although somebody has removed the folder meanwhile")
    func removedFolder() throws {
        try FileManager.default.removeItem(atPath: folder.path)

        let pending = try PendingFile(in: folder) { name }
        try pending.write([7], at: 0)

        expectEqual(around.content("cache/writing/\(name)"), Data([7]))
    }

    @Test("fails and leaves nothing behind where its place can't be taken")
    func noPlace() throws {
        try around.write(Data(), to: "cache/directory")
        let pending = try PendingFile(in: folder) { name }

        let error = #expect(throws: StoreError.self) {
            try pending.publish(as: "slot", on: around["cache/directory"], at: 0)
        }
        pending.discard()

        expectEqual(error?.code, .cannotWrite)
        expectTrue(FileAttributes(folder.pendingFiles + "/" + name) == nil)
    }
}
