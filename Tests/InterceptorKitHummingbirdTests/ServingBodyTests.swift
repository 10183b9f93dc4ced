#if Hummingbird
import Expectations
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitTesting
import NIOCore
import TestRun
import Testing

@Suite(
    "Bodies through ChainMiddleware",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ServingBodyTests {
    @Test("arrive whole in both directions", arguments: [0, 1, 65_536, 3_000_000], [true, false])
    func echo(size: Int, reads: Bool) async throws {
        let app = try application { request, _ in
            Response(status: .ok, body: ResponseBody(asyncSequence: request.body))
        } behind: {
            reading(reads)
        }
        let content = ByteBuffer(bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0) })

        for framework in [TestingSetup.router, .live] {
            let body = try await app.test(framework) { client in
                try await client.execute(uri: "/", method: .post, body: content).body
            }
            expectEqual(body, content)
        }
    }

    @Test("pass chunk by chunk as the chunks arrive", arguments: [true, false])
    func streaming(reads: Bool) async throws {
        let app = try application { request, _ in
            Response(status: .ok, body: ResponseBody(asyncSequence: request.body))
        } behind: {
            reading(reads)
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { reader, writer in
                let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                try await writer.write(ByteBuffer(string: head + "3\r\none\r\n"))
                try await reader.read(until: "one")
                try await writer.write(ByteBuffer(string: "3\r\ntwo\r\n"))
                try await reader.read(until: "two")
                try await writer.write(ByteBuffer(string: "0\r\n\r\n"))
                try await reader.read(until: "\r\n0\r\n\r\n")

                expectTrue(reader.text.hasPrefix("HTTP/1.1 200"))
            }
        }
    }
}
#endif
