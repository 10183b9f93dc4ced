import Expectations
import Foundation
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("OpenFile")
struct OpenFileTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func code(_ body: () throws -> Void) -> StoreError.Code? {
        #expect(throws: StoreError.self) { try body() }?.code
    }

    @Test("reads what is left if the file ends before the buffer")
    func end() throws {
        try folder.write(Data("abc".utf8), to: "file")
        let file = try unwrap(OpenFile(reading: folder["file"]))
        var buffer = [UInt8](repeating: 0, count: 5)

        let counts = [0, 1, 3, 9].map { offset in
            unsafe buffer.withUnsafeMutableBytes { unsafe try? file.read(into: $0, at: offset) }
        }

        expectEqual(counts, [3, 2, 0, 0])
        expectEqual(buffer, Array("bcc\0\0".utf8))
    }

    @Test("is nil if the file is missing or a link, or exists when created")
    func none() throws {
        try folder.write(Data(), to: "file")
        try FileManager.default.createSymbolicLink(
            atPath: folder["link"],
            withDestinationPath: "file"
        )

        for name in ["none", "none/below", "file/below", "link"] {
            try expectTrue(OpenFile(reading: folder[name]) == nil)
        }
        try expectTrue(OpenFile(creating: folder["file"]) == nil)
        try expectTrue(OpenFile(creating: folder["none/below"]) == nil)
        // A link is no file of the store's.
        expectEqual(folder.names, ["file"])
    }

    @Test("reports other system errors as those of reading or of writing")
    func refused() throws {
        let endless = folder[String(repeating: "n", count: 300)]
        let itself = try unwrap(OpenFile(reading: folder.path))
        try folder.write(Data("abc".utf8), to: "file")
        let file = try unwrap(OpenFile(reading: folder["file"]))
        var buffer = [UInt8](repeating: 0, count: 5)

        expectEqual(code { _ = try OpenFile(reading: endless) }, .cannotRead)
        expectEqual(code { _ = try OpenFile(creating: endless) }, .cannotWrite)
        let reading = code {
            _ = unsafe try buffer.withUnsafeMutableBytes {
                unsafe try itself.read(into: $0, at: 0)
            }
        }
        expectEqual(reading, .cannotRead)
        let writing = code {
            unsafe try buffer.withUnsafeBytes { unsafe try file.write($0, at: 0) }
        }
        expectEqual(writing, .cannotWrite)
    }
}
