import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("GzipWriter")
struct GzipWriterTests {
    private let zlib: SystemZlib

    init() throws { zlib = try unwrap(SystemZlib.shared) }

    @Test("writes one file, in however many pieces it is given", arguments: [0, 1, 7, 500])
    func pieces(size: Int) async throws {
        let content = Data((0..<1000).map { UInt8($0 & 63) })
        let writer = try unwrap(GzipWriter(zlib, level: 6))
        var written = Data()

        for start in stride(from: 0, to: size == 0 ? 0 : content.count, by: max(size, 1)) {
            let piece = content.dropFirst(start).prefix(size)
            written += try await writer.write(piece, isLast: false)
        }
        written += try await writer.write(size == 0 ? content : Data(), isLast: true)

        expectEqual(gunzip(written), content)
    }

    @Test("writes a valid file of nothing")
    func empty() async throws {
        let writer = try unwrap(GzipWriter(zlib, level: 6))

        let written = try await writer.write(Data(), isLast: true)

        expectEqual(gunzip(written), Data())
    }

    @Test("is nothing if zlib refuses the level")
    func refusal() async throws {
        var chunks = GzipChunks(body: "tea", zlib: zlib, level: 42).makeAsyncIterator()

        expectTrue(GzipWriter(zlib, level: 42) == nil)
        let error = await #expect(throws: HTTP.ContentError.self) { try await chunks.next() }
        expectEqual(error?.code, .cannotEncode)
    }

    @Test("ends a body once, and stays at its end")
    func end() async throws {
        var chunks = GzipChunks(body: "tea", zlib: zlib, level: 6).makeAsyncIterator()
        var written = Data()

        while let chunk = try await chunks.next() { written += chunk }

        expectEqual(gunzip(written), Data("tea".utf8))
        try await expectEqual(chunks.next(), nil)
    }
}
