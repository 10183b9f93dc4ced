import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let framing: [Self] = [
        body("delivers a body of a stated length", 1_000) { .status(200, body: $0) },
        body("delivers every byte value unchanged", 70_000) { .status(200, body: $0) },
        body("delivers a large body whole", 8_000_000) { .status(200, body: $0) },
        body("delivers a body in chunks", 50_000) { .status(200, body: $0).chunked(size: 777) },
        body("delivers a large body in chunks", 8_000_000) {
            .status(200, body: $0).chunked(size: 100_000)
        },
        body("delivers a body in chunks of one byte", 300) {
            .status(200, body: $0).chunked(size: 1)
        },
        body("delivers an empty body", 0) { .status(200, body: $0) },
        body("delivers an empty body in chunks", 0) { .status(200, body: $0).chunked() },
        body("delivers a body that ends with the connection", 100_000) {
            .status(200, body: $0).endingWithConnection()
        },
        body("delivers a body that comes byte by byte", 40) {
            .status(200, body: $0).throttled(bytes: 1, every: .milliseconds(1))
        },
        text(
            "passes over chunk extensions",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3;a=b;c=\"d\"\r\nabc\r\n0;last\r\n\r\n",
            is: "abc"
        ),
        text(
            "takes chunk sizes in either case and with leading zeros",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "00a\r\n0123456789\r\nB\r\n0123456789a\r\n0\r\n\r\n",
            is: "01234567890123456789a"
        ),
        text(
            "does not take what follows a body for a part of it",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef",
            is: "abc"
        ),
        Self("says how long a body of a stated length is") { context in
            let server = try context.server(.status(200, body: "12345"))

            let response = try await context.send(.get(server.url("/")))

            try expect(response.body.length, is: 5, "The length")
            try expect(response.headers["Content-Length"], is: "5", "The field")
        },
        Self("delivers a body that has trailers") { context in
            let (head, body) = try await context.response(
                .text("hello").chunked(size: 2).trailers(["X-Checksum": "5", "X-Other": "6"])
            )

            try expect(head.status, is: 200, "The status")
            try expect(String(decoding: body, as: UTF8.self), is: "hello", "The body")
        },
    ]

    private static func body(
        _ name: String,
        _ size: Int,
        _ reply: @escaping @Sendable (Data) -> LoopbackServer.Reply
    ) -> Self {
        Self(name) { context in
            let content = Samples.bytes(size)

            let (head, body) = try await context.response(reply(content))

            try expect(head.status, is: 200, "The status")
            try expect(body, is: content, "The body")
        }
    }

    private static func text(_ name: String, _ rawResponse: String, is expected: String) -> Self {
        Self(name) { context in
            let (_, body) = try await context.response(.raw(rawResponse))

            try expect(String(decoding: body, as: UTF8.self), is: expected, "The body")
        }
    }
}
