import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("MultipartChunks")
struct MultipartChunksTests {
    @Test("streams a file in chunks as it is sent")
    func largeFile() async throws {
        let folder = try Folder()
        try folder.write(Data(repeating: 0x2D, count: 3 << 20), to: "large")
        let body = try HTTP.Multipart([.file("f", at: folder["large"])]).content().body
        var (count, largest) = (0, 0)

        for try await chunk in body {
            count += chunk.count
            largest = max(largest, chunk.count)
        }

        expectEqual(count, body.length)
        expectTrue(largest <= 64 << 10)
    }

    @Test("fails if a file changes its length or vanishes while it is sent")
    func changingFile() async throws {
        let folder = try Folder()
        try folder.write(Data(repeating: 1, count: 100_000), to: "f")
        let body = try HTTP.Multipart([.file("f", at: folder["f"])]).content().body

        try folder.write(Data(repeating: 1, count: 99_999), to: "f")
        let shorter = await #expect(throws: HTTP.ContentError.self) { try await body.collect() }
        try folder.write(Data(repeating: 1, count: 100_001), to: "f")
        let longer = await #expect(throws: HTTP.ContentError.self) { try await body.collect() }
        try FileManager.default.removeItem(atPath: folder["f"])
        let gone = await #expect(throws: HTTP.ContentError.self) { try await body.collect() }

        expectTrue(shorter?.code == .lengthChanged && longer?.code == .lengthChanged)
        expectEqual(
            shorter?.message,
            "The part \"f\" of a form was announced with 100000 bytes and has 99999. Nothing may "
                + "change a file while it is sent."
        )
        expectEqual(gone?.code, .unreadableFile)
    }

    @Test("ends after such an error, also if it is read on")
    func ended() async throws {
        let folder = try Folder()
        try folder.write(Data(repeating: 1, count: 200_000), to: "f")
        let parts = [HTTP.Multipart.Part.file("f", at: folder["f"]), .field("a", "b")]
        let body = try HTTP.Multipart(parts).content().body
        try folder.write(Data(repeating: 1, count: 300_000), to: "f")
        var chunks = body.makeAsyncIterator()

        await #expect(throws: HTTP.ContentError.self) {
            while try await chunks.next() != nil {}
        }
        let more = try await chunks.next()

        expectEqual(more, nil)
    }

    @Test("has a length if each part has one and their sum is no overflow")
    func lengths() {
        let bytes = MultipartChunk.bytes(Data("abc".utf8))

        func length(_ chunks: MultipartChunk...) -> Int? { MultipartChunks(chunks: chunks).length }
        expectEqual(length(), 0)
        expectEqual(length(bytes, .part("p", "x", length: 4), bytes), 10)
        expectEqual(length(bytes, .part("p", "x", length: nil)), nil)
        expectEqual(length(bytes, .part("p", "x", length: .max)), nil)
    }

    @Test("is in memory as a whole if no part has to be read")
    func inMemory() {
        let bytes = MultipartChunk.bytes(Data("abc".utf8))

        expectEqual(MultipartChunks(chunks: [bytes, bytes]).inMemory, Data("abcabc".utf8))
        expectEqual(MultipartChunks(chunks: [bytes, .part("p", "x", length: 1)]).inMemory, nil)
    }
}
