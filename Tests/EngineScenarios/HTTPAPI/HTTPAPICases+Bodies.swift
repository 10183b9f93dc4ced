import InterceptorKit
import InterceptorKitConformance
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private typealias Requirement = TransportConformance.Requirement

extension HTTPAPICases {
    private static let test = Data("TEST\n".utf8)

    /// Bodies, coded and large.
    static let bodies: [TransportConformance.Requirement] = [
        Requirement("testEchoString") { context in
            try await expectEcho(of: Data("Hello World".utf8), context)
        },
        Requirement("testEcho1MBBody") { context in
            try await expectEcho(of: Data(repeating: UInt8(ascii: "A"), count: 1_000_000), context)
        },
        Requirement("testEmptyChunkedBody") { context in
            let request = try await context.arrival {
                .post($0.url("/"), body: .oneShot(AsyncStream<Data> { $0.finish() }))
            }

            try expect(request.body, is: Data(), "The body")
        },
        Requirement("testGzip") { context in
            try await expectDecoded(
                "gzip",
                [
                    0x1F, 0x8B, 0x08, 0x00, 0xFD, 0xD6, 0x77, 0x69, 0x04, 0x03, 0x0B, 0x71, 0x0D,
                    0x0E, 0xE1, 0x02, 0x00, 0xBE, 0xD7, 0x83, 0xF7, 0x05, 0x00, 0x00, 0x00,
                ],
                context
            )
        },
        Requirement("testDeflate") { context in
            try await expectDecoded(
                "deflate",
                [
                    0x78, 0x9C, 0x0B, 0x71, 0x0D, 0x0E, 0xE1, 0x02, 0x00, 0x04, 0x68, 0x01, 0x4B,
                ],
                context
            )
        },
        Requirement("testBrotli") { context in
            try await expectDecoded(
                "br",
                [0x0F, 0x02, 0x80, 0x54, 0x45, 0x53, 0x54, 0x0A, 0x03],
                context
            )
        },
        Requirement("testIdentity") { context in
            let (head, body) = try await context.response(.status(200, body: test))

            try expect(!head.headers.contains("Content-Encoding"), "There is a coding.")
            try expect(body, is: test, "The body")
        },
    ]

    /// What is read in part, cancelled, many times at once, or has trailers.
    static let streams: [TransportConformance.Requirement] = [
        Requirement("testStressTest") { context in
            let server = try context.server(.text("hello"))
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await context.exchange(.get(server.url("/"))).body.count }
                }
                return try await group.reduce(0, +)
            }

            try expect(count, is: 500, "The bytes of all")
        },
        Requirement("testCancelPreHeaders") { context in
            let server = try context.server(.stalled)
            let call = Task { try await context.exchange(.get(server.url("/stall"))) }
            try await server.waitForRequests(1)

            call.cancel()

            _ = try await context.failure(of: "The call") { try await call.value }
        },
        Requirement("testCancelPreBody") { context in
            let content = Data(repeating: UInt8(ascii: "A"), count: 2000)
            let server = try context.server(
                .status(200, body: content).stalledInBody(after: 1000)
            )
            let response = try await context.send(.get(server.url("/stall_body")))
            let reader = Task { try await response.body.collect() }

            reader.cancel()

            _ = try await context.failure(of: "The reading") { try await reader.value }
        },
        Requirement("testUnderRead") { context in
            let server = try context.server(
                .status(200, body: Data(repeating: UInt8(ascii: "A"), count: 1_000_000))
            )
            var body = try await context.send(.get(server.url("/"))).body.makeAsyncIterator()

            let first = try await body.next()?.first

            try expect(first, is: UInt8(ascii: "A"), "The first byte")
        },
        Requirement("testDripRead") { context in
            let content = Data(repeating: UInt8(ascii: "A"), count: 1_000_000)
            let server = try context.server(.status(200, body: content))
            var read = Data()
            for try await chunk in try await context.send(.get(server.url("/"))).body {
                for byte in chunk { read.append(byte) }
            }

            try expect(read, is: content, "The body")
        },
        Requirement("testTrailerRead") { context in
            let (head, body) = try await context.response(
                .status(200, body: "Response body").trailers([
                    "X-Trailer-One": "first-value", "X-Trailer-Two": "second-value",
                    "X-Checksum": "abc123",
                ])
            )

            try expect(body, is: Data("Response body".utf8), "The body")
            try expect(head.trailers?["X-Trailer-One"], is: "first-value", "The first trailer")
            try expect(head.trailers?["X-Trailer-Two"], is: "second-value", "The second trailer")
            try expect(head.trailers?["X-Checksum"], is: "abc123", "The third trailer")
        },
        .untried("testEchoInterleave"), .untried("testSpeakInterleave"),
        .untried("testTrailerWrite"),
    ]

    private static func expectEcho(of content: Data, _ context: ConformanceContext) async throws {
        let server = try context.server { .status(200, body: $0.body) }

        let (_, body) = try await context.exchange(
            .post(server.url("/echo"), body: .bytes(content))
        )

        try expect(body, is: content, "The echo")
    }

    /// The server codes the body if the client accepts the coding.
    private static func expectDecoded(
        _ coding: String,
        _ coded: [UInt8],
        _ context: ConformanceContext
    ) async throws {
        let server = try context.server { request in
            let accepted = request.headers["Accept-Encoding"] ?? ""
            guard accepted.contains(coding) else { return .status(200, body: test) }
            return .status(200, headers: ["Content-Encoding": coding], body: Data(coded))
        }

        let (_, body) = try await context.exchange(.get(server.url("/")))

        try expect(body, is: test, "The body")
    }
}
