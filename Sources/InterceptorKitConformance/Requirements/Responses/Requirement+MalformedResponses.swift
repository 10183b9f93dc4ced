import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let malformedResponses: [Self] = [
        malformed("fails on a response that is not HTTP", "garbage\r\n\r\n"),
        malformed("fails on another protocol's answer", "SSH-2.0-server\r\n"),
        malformed("fails on a status that isn't a number", "HTTP/1.1 abc OK\r\n\r\n"),
        malformed("fails on a status of one digit", "HTTP/1.1 2 OK\r\nContent-Length: 0\r\n\r\n"),
        malformed("fails on the status 000", "HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n"),
        malformed("fails on a field without colon", head("no colon here")),
        malformed("fails on a field name with a blank", head("a field: 1\r\nContent-Length: 0")),
        malformed("fails on a chunk size that isn't a number", chunked("zz\r\nab\r\n0\r\n\r\n")),
        malformed("fails on a negative chunk size", chunked("-2\r\nab\r\n0\r\n\r\n")),
        malformed(
            "fails on a chunk longer than its size",
            chunked("2\r\nabcd\r\n0\r\n\r\n")
        ),
        malformed(
            "fails on a chunk size larger than any number",
            chunked("fffffffffffffffff\r\nab\r\n0\r\n\r\n")
        ),
        malformed("fails on a length that isn't a number", head("Content-Length: abc") + "abc"),
        malformed("fails on a negative length", head("Content-Length: -3") + "abc"),
        Self("fails on the largest length that is a number, where the body ends") { context in
            let rawResponse = head("Content-Length: 9223372036854775807") + "abc"
            let url = try context.server(.raw(rawResponse)).url("/")

            _ = try await context.transportError(
                .protocolViolation,
                .connectionLost,
                of: "The exchange"
            ) {
                for try await _ in try await context.send(.get(url)).body {}
            }
        },
        malformed(
            "fails on a length larger than any number",
            head("Content-Length: 92233720368547758070") + "abc"
        ),
        malformed(
            "fails on two lengths that differ",
            head("Content-Length: 3\r\nContent-Length: 5") + "abcde"
        ),
    ]

    private static func head(_ fields: String) -> String {
        "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n"
    }

    private static func chunked(_ body: String) -> String {
        head("Transfer-Encoding: chunked") + body
    }

    private static func malformed(_ name: String, _ rawResponse: String) -> Self {
        Self(name) { context in
            let error = try await context.brokenResponse(
                .raw(rawResponse),
                // Some engines look for the end first, others at the text.
                [.protocolViolation, .connectionLost]
            )

            try expect(!error.isUnsent, "It says that nothing was sent.")
        }
    }
}
