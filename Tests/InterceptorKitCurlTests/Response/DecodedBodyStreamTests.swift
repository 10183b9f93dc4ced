import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "A body with Content-Encoding",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct DecodedBodyStreamTests {
    /// "hello hello" in each coding.
    static let samples: [(coding: String, hex: String)] = [
        ("gzip", "1f8b0800000000000203cb48cdc9c957c800910040a62d010b000000"),
        ("x-gzip", "1f8b0800000000000203cb48cdc9c957c800910040a62d010b000000"),
        ("deflate", "789ccb48cdc9c957c800910019910449"),
        // Without zlib's frame.
        ("deflate", "cb48cdc9c957c8009100"),
        ("br", "130a000024406a9045eaf09c0e"),
        ("zstd", "28b52ffd200b59000068656c6c6f2068656c6c6f"),
    ]

    /// 20 MB of zeros in 39 bytes of brotli.
    static let bomb =
        "cbffff3f002400e2b14072effff8ffff078004401c1680eefd5ffeb3c400900088c302d0258901"

    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    private func response(_ coding: String, _ bytes: Data) async throws -> HTTP.Response {
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Content-Encoding": coding], body: bytes)
        }
        let response = try await transport.send(.get(server.url("/")), call: Call())
        // Whole before the server goes.
        await transport.loops.idle()
        return response
    }

    private func isAvailable(_ coding: String) -> Bool { ContentCoding.named(coding) != nil }

    @Test("is decoded, and its header fields no longer name the coding", arguments: samples.indices)
    func decoded(index: Int) async throws {
        let (coding, hex) = Self.samples[index]
        guard isAvailable(coding) else { return }

        let response = try await response(coding, Data(hex: hex))
        let text = try await response.text()

        expectEqual(text, "hello hello")
        expectTrue(!response.headers.contains("Content-Encoding"))
        expectTrue(!response.headers.contains("Content-Length"))
        expectEqual(response.body.length, nil)
    }

    @Test("is an error when it is cut off anywhere", arguments: samples.indices)
    func cutOff(index: Int) async throws {
        let (coding, hex) = Self.samples[index]
        guard isAvailable(coding) else { return }
        let whole = Data(hex: hex)

        for count in 1..<whole.count {
            let response = try await response(coding, whole.prefix(count))
            let error = await #expect(throws: TransportError.self) {
                try await response.text()
            }
            expectEqual(error?.code, .protocolViolation)
        }
    }

    @Test("may have several gzip members or be empty")
    func parts() async throws {
        let gzip = Data(hex: Self.samples[0].hex)

        let twice = try await response("gzip", gzip + gzip).text()
        let none = try await response("gzip", Data()).text()

        expectEqual(twice, "hello hellohello hello")
        expectEqual(none, "")
    }

    @Test("is an error when it is corrupt or followed by other bytes")
    func broken() async throws {
        let gzip = Data(hex: Self.samples[0].hex)

        for bytes in [Data("hello".utf8), gzip + Data("more".utf8)] {
            let response = try await response("gzip", bytes)
            let error = await #expect(throws: TransportError.self) { try await response.text() }
            expectEqual(error?.code, .protocolViolation)
        }
    }

    @Test("is delivered undecoded when one of its codings is unknown")
    func several() async throws {
        let response = try await response("gzip, compress", Data("x".utf8))
        let text = try await response.text()

        expectEqual(response.headers["Content-Encoding"], "gzip, compress")
        expectEqual(text, "x")
    }

    @Test("is decoded in chunks of 64 KiB at most, even if it is a bomb")
    func bomb() async throws {
        guard isAvailable("br") else { return }
        var sizes: [Int] = []

        let response = try await response("br", Data(hex: Self.bomb))
        for try await chunk in response.body { sizes.append(chunk.count) }
        let refused = try await self.response("br", Data(hex: Self.bomb))
        await #expect(throws: HTTP.ContentError.self) {
            try await refused.body.collect(upTo: 1_000_000)
        }

        expectEqual(sizes.reduce(0, +), 20_000_000)
        expectTrue(sizes.allSatisfy { $0 <= 64 << 10 })
    }
}

extension Data {
    fileprivate init(hex: String) {
        let digits = Array(hex.utf8)
        self.init(
            stride(from: 0, to: digits.count, by: 2).map { index in
                UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0
            }
        )
    }
}
