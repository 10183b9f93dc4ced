import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    // Each is followed by another request on the same connection, if it is kept: a client that expects or takes a body
    // is then out of step.
    static let bodilessResponses: [Self] = [
        bodiless("expects no body of HEAD, and keeps its length field", .head, .text("hello")) {
            try expect($0.headers["Content-Length"], is: "5", "The length field")
        },
        bodiless("expects no body of HEAD in chunks", .head, .text("hello").chunked()),
        bodiless("expects no body of 204", .get, .status(204)),
        bodiless("expects no body of 204 to DELETE", .delete, .status(204)),
        bodiless(
            "expects no body of 304 that states a length",
            .get,
            .status(304, headers: ["Content-Length": "5", "ETag": "\"a\""])
        ) {
            try expect($0.headers["ETag"], is: "\"a\"", "The ETag")
        },
        bodiless("delivers 205 without a body", .post, .status(205)),
    ]

    private static func bodiless(
        _ name: String,
        _ method: HTTP.Method,
        _ reply: LoopbackServer.Reply,
        check: @escaping @Sendable (HTTP.Response) throws -> Void = { _ in }
    ) -> Self {
        Self(name) { context in
            let server = try context.server { $0.path == "/next" ? .text("next") : reply }

            let (head, body) = try await context.exchange(HTTP.Request(method, server.url("/")))
            let (_, next) = try await context.exchange(.get(server.url("/next")))

            try expect(body.isEmpty, "There is a body of \(body.count) bytes.")
            try expect(head.status, is: reply.status, "The status")
            try check(head)
            try expect(String(decoding: next, as: UTF8.self), is: "next", "The next body")
        }
    }
}
