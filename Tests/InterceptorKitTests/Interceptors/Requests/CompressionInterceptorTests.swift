import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSigning
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CompressionInterceptor", .processorBound)
struct CompressionInterceptorTests {
    private let long = Data(String(repeating: "{\"id\": 7, \"name\": \"tea\"}\n", count: 400).utf8)

    private func bytes(of request: HTTP.Request) async throws -> Data {
        try await request.body.collect()
    }

    @Test(
        "compresses bytes with gzip, with the same result each time",
        arguments: [1024, 10_400, 0]
    )
    func bytes(minimum: Int) async throws {
        let post = HTTP.Request.post(
            orders,
            headers: ["Content-Length": "10000"],
            body: .bytes(long)
        )

        let requests = try (0..<2).map { _ in
            try shaped(post) { CompressionInterceptor(minimumSize: min(minimum, 10_000)) }
        }
        let sent = try await bytes(of: requests[0])

        expectEqual(requests[0].headers["Content-Encoding"], "gzip")
        expectEqual(requests[0].headers["Content-Length"], nil)
        expectTrue(requests[0].body.isReplayable && requests[0].body.length == sent.count)
        expectEqual(sent.prefix(10), Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]))
        expectTrue(sent.count < 200)
        expectEqual(gunzip(sent), long)
        try await expectEqual(bytes(of: requests[1]), sent)
    }

    @Test(
        "writes valid gzip for any bytes and effort",
        arguments: [CompressionInterceptor.Effort.fast, .balanced, .best]
    )
    func anyBytes(effort: CompressionInterceptor.Effort) async throws {
        var random = SeededGenerator(seed: 11)
        for size in [1100, 2000, 65_536, 200_000] {
            for letters in [1, 2, 4, 64] {
                let content = Data(
                    (0..<size).map { _ in UInt8.random(in: 0..<UInt8(letters), using: &random) }
                )
                let request = try shaped(.post(orders, body: .bytes(content))) {
                    CompressionInterceptor(effort: effort)
                }

                expectEqual(gunzip(try await bytes(of: request)), content)
            }
        }
    }

    @Test("compresses files and streams in chunks as they are read")
    func streams() async throws {
        let folder = try Folder()
        try folder.write(Data((0..<(1 << 20)).map { UInt8($0 >> 9 & 63) }), to: "f")
        let file = try shaped(.put(orders, body: .file(folder["f"]))) { CompressionInterceptor() }
        let stream = CountingStream(chunks: 500)
        let once = try shaped(.put(orders, body: .oneShot(length: 512_000, stream))) {
            CompressionInterceptor()
        }
        expectEqual(stream.read, 0)

        let (first, second) = (try await bytes(of: file), try await bytes(of: file))
        let third = try await bytes(of: once)

        expectTrue(file.body.isReplayable && file.body.length == nil)
        expectTrue(first == second && gunzip(first) == folder.content("f"))
        expectTrue(!once.body.isReplayable && once.body.length == nil)
        expectEqual(gunzip(third), Data(repeating: 0x61, count: 512_000))
    }

    @Test("yields compressed chunks before the whole body is read")
    func boundedMemory() async throws {
        let stream = NoiseStream(count: 2000)
        let request = try shaped(.put(orders, body: .oneShot(stream))) { CompressionInterceptor() }
        var largest = 0
        var smallest = Int.max

        for try await chunk in request.body {
            largest = max(largest, chunk.count)
            smallest = min(smallest, chunk.count)
        }

        expectEqual(stream.read, 2000)
        expectTrue(smallest > 0)
        expectTrue(largest < 300_000)
    }

    @Test("rethrows the stream's own error")
    func brokenStream() async throws {
        let body = HTTP.Body.replayable { Broken() }
        let request = try shaped(.put(orders, body: body)) { CompressionInterceptor() }

        await #expect(throws: Problem()) { try await bytes(of: request) }
    }

    @Test(
        "leaves unsuitable bodies uncompressed, and says why",
        arguments: [
            (["Content-Encoding": "br"], 2000, "the request has Content-Encoding"),
            (["content-digest": "sha-256=:abc=:"], 2000, "the request has Content-Digest"),
            (["Content-Range": "bytes 0-1/2"], 2000, "the request has Content-Range"),
            (["Repr-Digest": "sha-256=:abc=:"], 2000, "the request has Repr-Digest"),
            (["Digest": "sha-256=abc="], 2000, "the request has Digest"),
            (["Content-MD5": "abc="], 2000, "the request has Content-MD5"),
            (["Signature-Input": "a=()"], 2000, "the request has Signature-Input"),
            (["Content-Type": "IMAGE/png; a=b"], 2000, "media type image/png"),
            (
                ["Content-Type": "multipart/form-data; boundary=x"], 2000,
                "media type multipart/form-data"
            ),
            ([:], 1023, "less than 1024 bytes"),
        ] as [(HTTP.Headers, Int, String)]
    )
    func skipping(headers: HTTP.Headers, size: Int, reason: String) throws {
        let body = HTTP.Body.bytes(Data(repeating: 0x61, count: size))

        let (request, reasons) = try run(.post(orders, headers: headers, body: body))

        expectEqual(request.body.length, size)
        expectEqual(reasons, [reason])
        expectEqual(request.headers["Content-Encoding"], headers["Content-Encoding"])
    }

    @Test("leaves bodies uncompressed that wouldn't shrink")
    func noGain() throws {
        var random = SeededGenerator(seed: 3)
        let noise = Data((0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) })

        let (request, reasons) = try run(.post(orders, body: .bytes(noise)))

        expectEqual(request.body.inMemory, noise)
        expectEqual(reasons, ["no gain"])
    }

    @Test("sends bodies uncompressed without zlib, and says so")
    func noLibrary() throws {
        let absent = CompressionInterceptor().opening(["libnosuchthing.so.9", "libm.so.6"])

        let (request, reasons) = try run(.post(orders, body: .bytes(long)), absent)

        expectEqual(request.body.inMemory, long)
        expectEqual(reasons, ["there is no zlib"])
    }

    @Test("skips calls that opt out, other origins and requests without a body")
    func scope() throws {
        let post = HTTP.Request.post(orders, body: .bytes(long))

        let off = try shaped(post, configure: { $0.compressesBody = false }) {
            CompressionInterceptor()
        }
        let there = try shaped(post) { CompressionInterceptor(origins: ["https://other.example"]) }
        let get = try shaped(.get(orders)) { CompressionInterceptor(minimumSize: 0) }

        expectTrue(off.body.inMemory == long && there.body.inMemory == long)
        expectTrue(get.headers.isEmpty)
        try expectEqual(run(.get(orders)).1, [])
    }

    @Test("reports both sizes, and compresses more with more effort")
    func sizes() throws {
        var random = SeededGenerator(seed: 4)
        let noise = Data((0..<65_536).map { _ in UInt8.random(in: 0..<4, using: &random) })

        let sizes = try [CompressionInterceptor.Effort.fast, .balanced, .best].map { effort in
            let sink = RecordingEventSink()
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            try Simulation.run { simulation in
                let client = try simulation.client(transport, events: sink) {
                    CompressionInterceptor(effort: effort)
                }
                _ = try await client.send(.post(orders, body: .bytes(noise)))
            }
            let event = try unwrap(sink.events.first { $0.name == .bodyCompressed })
            let sent = try unwrap(transport.sent[0].input.body.length)
            expectEqual(event.attributes["bytes.before"], .number(65_536))
            expectEqual(event.attributes["bytes.after"], .number(sent))
            return sent
        }

        expectTrue(sizes[0] > sizes[2])
        expectTrue(Set(sizes).count > 1)
    }

    @Test("retries uncompressed after a 415, and remembers the origin")
    func refusal() throws {
        let codings = try Simulation.run { [long] simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                request.headers.contains("Content-Encoding")
                    ? HTTP.Response(415) : HTTP.Response(200)
            }
            let client = try simulation.client(transport) { CompressionInterceptor() }
            for path in ["/a", "/b"] {
                let url = HTTP.URL("https://api.example.com\(raw: path)")
                let response = try await client.send(.post(url, body: .bytes(long)))
                expectEqual(response.status, 200)
            }
            let stream = HTTP.Body.oneShot(CountingStream(chunks: 3))
            let other = try await client.send(.post("https://b.example/", body: stream))
            expectEqual(other.status, 415)
            return transport.sent.map { $0.input.headers["Content-Encoding"] ?? "none" }
        }

        expectEqual(codings, ["gzip", "none", "none", "gzip"])
    }

    @Test("releases the body of the 415, and reports the reason")
    func refusalsBody() throws {
        let stream = CountingStream(chunks: 1000)
        let sink = RecordingEventSink()

        try Simulation.run { [long] simulation in
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [.status(415, body: .oneShot(stream)), .status(200)]
            )
            let client = try simulation.client(transport, events: sink) { CompressionInterceptor() }
            _ = try await client.send(.post(orders, body: .bytes(long)))
        }

        expectTrue(stream.cancels >= 1 && stream.read < 10)
        let skipped = sink.events.first { $0.name == .bodyNotCompressed }
        expectEqual(skipped?.attributes["reason"], .text("status 415"))
    }

    @Test("keeps compressing if the uncompressed retry gets a 415 too")
    func otherRefusal() throws {
        let codings = try Simulation.run { [long] simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(415) }
            let client = try simulation.client(transport) { CompressionInterceptor() }
            for _ in 0..<2 { _ = try await client.send(.post(orders, body: .bytes(long))) }
            return transport.sent.map { $0.input.headers["Content-Encoding"] ?? "none" }
        }

        expectEqual(codings, ["gzip", "none", "gzip", "none"])
    }

    @Test("compresses before signing, so that the sent bytes are signed")
    func signed() async throws {
        let key = SigningKey(id: "k", secret: "geheim".utf8)
        let request = try shaped(.post(orders, body: .bytes(long))) {
            CompressionInterceptor()
            SignInterceptor(RequestSigner(MessageSignatureScheme(), key: key))
        }
        let digests = try HTTP.IntegrityDigests(parsing: request.headers["Content-Digest"] ?? "")
        let own = try HTTP.IntegrityDigests(of: try await bytes(of: request))

        expectEqual(digests[.sha256], own[.sha256])
    }

    private func run(
        _ request: HTTP.Request,
        _ interceptor: CompressionInterceptor = CompressionInterceptor()
    ) throws -> (HTTP.Request, [String]) {
        try Simulation.run { simulation in
            let sink = RecordingEventSink()
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            let client = try simulation.client(transport, events: sink) { interceptor }
            _ = try await client.send(request)
            let reasons = sink.events.compactMap { event in
                event.name == .bodyNotCompressed ? event.attributes["reason"].map { "\($0)" } : nil
            }
            return (transport.sent[0].input, reasons)
        }
    }
}

private final class NoiseStream: HTTP.BodyStream {
    private let count: Int
    private let state = Lock((read: 0, random: SeededGenerator(seed: 5)))

    init(count: Int) { self.count = count }

    var read: Int { state.withLock(\.read) }

    func next() async throws -> Data? {
        state.withLock { state in
            guard state.read < count else { return nil }
            state.read += 1
            return Data((0..<1024).map { _ in UInt8.random(in: 0...255, using: &state.random) })
        }
    }

    func cancel() {}
}

private struct Broken: AsyncSequence, AsyncIteratorProtocol, Sendable {
    func makeAsyncIterator() -> Broken { self }

    func next() async throws -> Data? { throw Problem() }
}
