import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A part of a stored body")
struct ByteRangeBodyTests {
    private static let digits = Data("0123456789".utf8)

    @Test(
        "has the bytes of its range, for any chunk size",
        arguments: [0..<1, 0..<10, 2..<7, 3..<6, 9..<10],
        [1, 3, 4, 10]
    )
    func stream(range: Range<Int>, size: Int) async throws {
        let whole = HTTP.Body.replayable(length: 10) { Self.chunks(of: size) }

        let part = try unwrap(whole.part(range))

        expectEqual(part.length, range.count)
        // Twice, since it can be sent again.
        try await expectEqual(part.collect(), Self.digits[range])
        try await expectEqual(part.collect(), Self.digits[range])
    }

    @Test("has the bytes of its range of a file, or of a range of a file")
    func file() async throws {
        let folder = try Folder()
        try folder.write(Self.digits, to: "file")

        let ofWhole = HTTP.Body.file(folder["file"]).part(2..<5)
        let ofRange = HTTP.Body.file(folder["file"], range: 3..<9).part(2..<5)

        try await expectEqual(ofWhole?.collect(), Data("234".utf8))
        try await expectEqual(ofRange?.collect(), Data("567".utf8))
        expectEqual(ofRange?.length, 3)
    }

    @Test("has the bytes of its range of a slice in memory")
    func slice() {
        let body = HTTP.Body.bytes(Self.digits[3...])

        expectEqual(body.part(1..<3)?.inMemory, Data("45".utf8))
    }

    @Test("is not cut from a one-shot body")
    func oneShot() {
        expectTrue(HTTP.Body.oneShot(CountingStream(chunks: 9)).part(0..<1) == nil)
    }

    @Test("reads no further than its range, and then releases the stream")
    func end() async throws {
        let stream = CountingStream(chunks: 9)
        let body = HTTP.Body(.replayable(length: 9 * 1024) { stream })

        let content = try await body.part(1024..<2049)?.collect()

        expectEqual(content?.count, 1025)
        expectEqual(stream.read, 3)
        expectEqual(stream.cancels, 1)
    }

    @Test("releases the stream when its reader leaves early")
    func left() async throws {
        let stream = CountingStream(chunks: 9)
        let body = HTTP.Body(.replayable(length: 9 * 1024) { stream })
        let part = try unwrap(body.part(1024..<4096))

        for try await _ in part { break }

        expectEqual(stream.read, 2)
        expectEqual(stream.cancels, 1)
    }

    @Test("fails if the stream ends before its range, and rethrows its failure")
    func early() async throws {
        let short = HTTP.Body.replayable(length: 20) { Self.chunks(of: 4) }
        let broken = HTTP.Body(
            .replayable(length: 20) { FaultyStream(Self.digits, .lost(after: 6)) }
        )

        let error = await #expect(throws: StoreError.self) {
            try await short.part(8..<12)?.collect()
        }
        await #expect(throws: StoreError.self) { try await short.part(15..<20)?.collect() }
        await #expect(throws: TransportError.self) { try await broken.part(5..<8)?.collect() }

        expectEqual(error?.code, .damaged)
    }

    @Test(
        "is served from stores with bodies in memory, in files and as streams",
        arguments: [
            ("bytes=2-4", "234"), ("bytes=0-0", "0"), ("bytes=9-", "9"), ("bytes=-3", "789"),
            ("bytes=0-", "0123456789"),
        ]
    )
    func served(asked: String, content: String) async throws {
        let folder = try Folder()
        try folder.write(Data("--0123456789--".utf8), to: "file")
        let path = folder["file"]
        let bodies: [@Sendable (HTTP.Body) -> HTTP.Body] = [
            { $0 }, { _ in .file(path, range: 2..<12) },
            { body in .replayable(length: body.length) { Self.chunks(of: 4) } },
        ]

        for body in bodies {
            try await onEverySeed(0..<2) { simulation in
                let store = RewritingStore(body: body)
                let service = try CachedService(simulation, store: store) { _, _ in
                    let fields: HTTP.Headers = ["Cache-Control": "max-age=60"]
                    return HTTP.Response(200, headers: fields, body: "0123456789")
                }
                _ = try await service.text()

                let response = try await service.get(["Range": asked])

                expectEqual(response.status, 206)
                expectEqual(response.headers["Content-Length"], "\(content.count)")
                try await expectEqual(response.text(), content)
                expectEqual(service.sends, 1)
            }
        }
    }

    private static func chunks(of size: Int) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for start in stride(from: 0, to: digits.count, by: size) {
                continuation.yield(Data(digits[start..<min(start + size, digits.count)]))
            }
            continuation.finish()
        }
    }
}

/// A store in memory that hands its bodies out in another form.
private struct RewritingStore: CacheStore {
    let body: @Sendable (HTTP.Body) -> HTTP.Body
    private let base = MemoryCacheStore()

    init(body: @escaping @Sendable (HTTP.Body) -> HTTP.Body) { self.body = body }

    func body(of response: StoredResponse) async throws -> HTTP.Body? {
        await base.body(of: response).map(body)
    }

    func responses(for key: CacheKey) async throws -> [StoredResponse] {
        await base.responses(for: key)
    }

    func writer(for response: StoredResponse, length: Int?) async throws -> (any CacheWriter)? {
        await base.writer(for: response, length: length)
    }

    func update(_ response: StoredResponse) async throws { await base.update(response) }
    func remove(_ response: StoredResponse) async throws { await base.remove(response) }
    func removeAll(for url: String) async throws { await base.removeAll(for: url) }
    func removeAll() async throws { await base.removeAll() }
    func contents() async throws -> [StoredResponse] { await base.contents() }
    func usage() async throws -> CacheUsage { await base.usage() }
}
