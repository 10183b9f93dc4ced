import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitCurl

@Suite("OpenFile")
final class OpenFileTests {
    private let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"

    init() throws { try Data("0123456789".utf8).write(to: URL(fileURLWithPath: path)) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private func open(_ range: Range<Int>?) throws -> OpenFile? {
        OpenFile(try unwrap(HTTP.Body.file(path, range: range).file))
    }

    @Test("reads its region and nothing after it")
    func region() throws {
        let file = try unwrap(open(2..<8))

        expectEqual(file.length, 6)
        expectEqual(file.text(at: 0), "234")
        expectEqual(file.text(at: 4), "67")
        expectEqual(file.text(at: 6), "end")
        expectEqual(file.text(at: 7), "end")
    }

    @Test("is none when the file is missing or shorter than the region")
    func tooShort() throws {
        let isBeyond = try open(8..<11) == nil
        try FileManager.default.removeItem(atPath: path)

        expectTrue(isBeyond)
        try expectTrue(open(nil) == nil)
    }

    @Test("says how much was read of a file that became shorter")
    func shortened() throws {
        let file = try unwrap(open(nil))
        try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 5)

        expectEqual(file.text(at: 3), "34")
        expectEqual(file.text(at: 5), "failed after 5 of 10")
    }
}

extension OpenFile {
    /// What is supplied for a buffer of three bytes.
    fileprivate func text(at offset: Int) -> String {
        var bytes: [UInt8] = [0, 0, 0]
        let supply = unsafe bytes.withUnsafeMutableBytes { unsafe read(at: offset, into: $0) }
        return switch supply {
        case .bytes(let count): String(decoding: bytes.prefix(count), as: UTF8.self)
        case .end: "end"
        case .failed(.bodyTooShort(let sent, let stated)): "failed after \(sent) of \(stated)"
        case .later, .failed: "\(supply)"
        }
    }
}
