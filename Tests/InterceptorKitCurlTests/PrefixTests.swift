import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

/// A server that dies at each byte of its answer.
@Suite(
    "A response cut off anywhere",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct PrefixTests {
    static let answers: [String: String] = [
        "a stated length": "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nX-A: b\r\n\r\n0123456789",
        "chunks and trailers":
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0123\r\n6\r\n456789\r\n"
            + "0\r\nX-T: 1\r\n\r\n",
        "an interim answer first":
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n"
            + "Content-Length: 10\r\n\r\n0123456789",
    ]

    @Test(
        "is delivered whole or as an error, and never shortened",
        arguments: answers.keys.sorted(),
        [false, true]
    )
    func everyPrefix(kind: String, resets: Bool) async throws {
        let answer = try unwrap(Self.answers[kind])
        let transport = try CurlTransport()
        let server = try LoopbackServer { request in
            let count = Int(request.path.dropFirst()) ?? 0
            let raw = LoopbackServer.Reply.raw(String(answer.utf8.prefix(count)) ?? "")
            return resets ? raw.resetAfter() : raw
        }
        var whole: [Int] = []

        for count in 0...answer.utf8.count {
            do {
                let response = try await transport.send(
                    .get(server.url("/\(count)")),
                    call: Call().withDeadline(within: .seconds(20))
                )
                let text = try await response.text()
                expectEqual(text, "0123456789")
                whole.append(count)
            } catch let error as TransportError {
                expectTrue([.connectionLost, .protocolViolation].contains(error.code))
            }
        }

        // The last bytes of trailers may be missing from a response that is whole otherwise.
        expectTrue(whole.contains(answer.utf8.count) || resets)
        expectTrue(whole.allSatisfy { $0 >= answer.utf8.count - 10 })
    }
}
