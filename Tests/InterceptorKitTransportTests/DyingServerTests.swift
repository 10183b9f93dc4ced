import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

/// A server that closes after each byte of a response.
///
/// Within the head, after the status line, the process would end (NativeProtocol.swift:240, Swift 6.3.1):
/// the conformance suite tries that in another one.
@Suite(
    "A connection that ends within its response",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct DyingServerTests {
    static let counted = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello, world"
    static let chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n"

    private let transport = URLSessionTransport()

    @Test("is never mistaken for the end of the body", arguments: [counted, chunked])
    func inBody(answer: String) async throws {
        let bytes = Data(answer.utf8)
        let head = try unwrap(bytes.range(of: Data("\r\n\r\n".utf8))).upperBound
        // Without its last line feed a response in chunks is as good as whole.
        let end = answer == Self.chunked ? bytes.count - 1 : bytes.count

        for count in head..<end {
            let server = try LoopbackServer { _ in .raw(bytes.prefix(count)) }

            let error = await #expect(throws: TransportError.self, "after \(count) bytes") {
                try await transport.send(.get(server.url("/")), call: Call()).body.collect()
            }

            expectEqual(
                error?.code,
                .connectionLost,
                "after \(count) bytes: \(String(describing: error))"
            )
            expectEqual(error?.message.contains("127.0.0.1:\(server.port)"), true)
            expectEqual(error?.message.contains("body"), true)
        }
    }

    @Test("is an error before the status line is complete")
    func inStatusLine() async throws {
        let bytes = Data(DyingServerTests.counted.utf8)

        for count in 0..<17 {
            let server = try LoopbackServer { _ in .raw(bytes.prefix(count)) }

            let error = await #expect(throws: TransportError.self, "after \(count) bytes") {
                try await transport.send(.get(server.url("/")), call: Call())
            }

            let codes: [TransportError.Code] = [.connectionLost, .protocolViolation]
            expectEqual(
                error.map { codes.contains($0.code) },
                true,
                "after \(count): \(String(describing: error))"
            )
        }
    }

    @Test("is no error when the response is complete", arguments: [counted, chunked])
    func whole(answer: String) async throws {
        let server = try LoopbackServer { _ in .raw(answer) }

        let text = try await transport.send(.get(server.url("/")), call: Call()).text()

        expectEqual(text, "hello, world")
    }
}
