import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("A body in signed chunks, on the server", .tags(.slow), .processorBound)
struct VerifiedChunksTests {
    private let date = Date(timeIntervalSince1970: 1_440_938_160)
    private let scheme = AWSSignatureV4.s3(region: "us-east-1", payload: .chunked(size: 8192))

    private var verifier: AWSSignatureV4Verifier {
        let key = VerificationKey(id: "AKID", secret: "secret".utf8)
        return AWSSignatureV4Verifier(scheme, keys: FixedVerificationKeys([key]))
    }

    /// What a client sends, its content cut into pieces.
    /// - Parameter length: What the request says of its length, rightly signed; `nil` for the truth.
    private func sent(
        _ content: Data,
        length: String? = nil
    ) async throws -> (request: HTTP.Request, framed: Data) {
        let context = SigningContext(
            key: SigningKey(id: "AKID", secret: "secret".utf8),
            freshness: SignatureFreshness(date: date, nonce: "")
        )
        var request = HTTP.Request.put("https://h.example/a", body: .bytes(content))
        if let length { request.headers["X-Amz-Decoded-Content-Length"] = length }
        request = try scheme.sign(request, context)
        var framed = Data()
        for try await piece in request.body { framed += piece }
        return (request, framed)
    }

    /// What a server reads of it; `nil` if it is refused before its end.
    private func read(
        _ request: HTTP.Request,
        _ framed: Data,
        by size: Int
    ) async throws -> (content: Data, isWhole: Bool) {
        let parts = AsyncStream<Data> { continuation in
            for start in stride(from: 0, to: framed.count, by: size) {
                continuation.yield(Data(framed[start..<min(start + size, framed.count)]))
            }
            continuation.finish()
        }
        var received = request
        received.body = .oneShot(parts)
        let signature = try await verifier.verify(received, at: date)
        var content = Data()
        do {
            for try await piece in signature.content { content += piece }
            return (content, true)
        } catch is SignatureVerificationError {
            return (content, false)
        }
    }

    @Test(
        "is read as it was signed, however it arrives",
        arguments: [0, 1, 8191, 8192, 8193, 40_000],
        [1, 100, 1 << 20]
    )
    func roundTrip(length: Int, size: Int) async throws {
        let content = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let (request, framed) = try await sent(content)

        let received = try await read(request, framed, by: size)

        expectTrue(received.isWhole)
        expectEqual(received.content, content)
    }

    @Test("stays at its end once read")
    func end() async throws {
        let (request, framed) = try await sent(Data("abc".utf8))
        var received = request
        received.body = .bytes(framed)
        var pieces = try await verifier.verify(received, at: date).content.makeAsyncIterator()

        let read = [try await pieces.next(), try await pieces.next(), try await pieces.next()]

        expectEqual(read, [Data("abc".utf8), nil, nil])
    }

    @Test("is refused with any byte changed, and yields only genuine bytes")
    func flips() async throws {
        var random = SeededGenerator(seed: 4)
        let content = Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let (request, framed) = try await sent(content)
        // All of the frames, and some of the content.
        let offsets =
            Array(0..<120) + Array(8250..<8420) + Array((framed.count - 200)..<framed.count)

        let step = cases(16, of: 1)
        for offset in offsets where offset % step == 0 {
            var changed = framed
            changed[offset] ^= 1 << UInt8.random(in: 0...7, using: &random)
            // Hexadecimal digits of a size may be of either case.
            let isSame =
                String(decoding: changed, as: UTF8.self).lowercased()
                == String(decoding: framed, as: UTF8.self).lowercased()
            if isSame { continue }
            let received = try await read(request, changed, by: 1 << 20)
            expectTrue(!received.isWhole, "byte \(offset)")
            expectTrue(content.starts(with: received.content), "byte \(offset)")
        }
    }

    @Test("is refused if it is truncated, extended or reordered")
    func cut() async throws {
        let content = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let (request, framed) = try await sent(content)
        let piece = 8192 + 4 + 85

        for length in [0, 10, 87, piece, 2 * piece, framed.count - 2] {
            try await expectTrue(
                !read(request, framed.prefix(length), by: 999).isWhole,
                "\(length)"
            )
        }
        for size in [999, framed.count] {
            try await expectTrue(!read(request, framed + Data("0".utf8), by: size).isWhole)
        }
        let swapped =
            framed[piece..<(2 * piece)] + framed[..<piece] + framed[(2 * piece)...]
        try await expectTrue(!read(request, Data(swapped), by: 999).isWhole)
    }

    @Test(
        "is refused with malformed frames",
        arguments: [
            "", "\r\n", "zz;chunk-signature=00\r\n", "-1;chunk-signature=00\r\n",
            "+1;chunk-signature=00\r\n", "1\r\na\r\n", "ffffffff;chunk-signature=00\r\n",
            "fffffffff;chunk-signature=00\r\n", ";chunk-signature=00\r\n",
            "1;chunk-signature=\r\na\r\n", "1;other=00\r\na\r\n",
            String(repeating: "a", count: 100_000),
        ]
    )
    func frames(_ framed: String) async throws {
        let (request, _) = try await sent(Data("content".utf8))

        let received = try await read(request, Data(framed.utf8), by: 64)

        expectTrue(!received.isWhole)
        expectTrue(received.content.isEmpty)
    }

    @Test("is refused with a malformed length field")
    func length() async throws {
        for text in ["", "-1", "1e3", "1000000000000000000", "99999999999999999999"] {
            let (request, _) = try await sent(Data("content".utf8), length: text)
            let error = await #expect(throws: SignatureVerificationError.self) {
                try await verifier.verify(request, at: date)
            }
            expectEqual(error?.code, .malformed, "\(text)")
        }
    }

    @Test("is refused if it is longer or shorter than its length field says")
    func wrongLength() async throws {
        let (shorter, short) = try await sent(Data("content".utf8), length: "8")
        let (longer, long) = try await sent(Data("content".utf8), length: "6")

        try await expectTrue(!read(shorter, short, by: 64).isWhole)
        let received = try await read(longer, long, by: 64)
        expectTrue(!received.isWhole)
        expectTrue(received.content.isEmpty)
    }

    @Test("is refused before a chunk of more than 16 MiB is buffered")
    func hugePiece() async throws {
        var (request, _) = try await sent(Data(), length: "999999999")
        request.body = .text("1000001;chunk-signature=00\r\n")
        let signature = try await verifier.verify(request, at: date)

        let error = await #expect(throws: SignatureVerificationError.self) {
            try await signature.content.collect(upTo: 1 << 30)
        }

        expectEqual(error?.message.contains("does not state its size"), true)
    }
}
