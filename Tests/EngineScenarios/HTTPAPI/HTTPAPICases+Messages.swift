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
    /// What a server says against the rules, or at their edge.
    static let raw: [TransportConformance.Requirement] = [
        Requirement("testNotHTTP") { context in
            try await context.expectFailure(.raw("FOOBAR"))
        },
        Requirement("testBadHTTPCase") { context in
            try await context.expectFailure(.raw("Http/1.1 200 OK\r\nConnection: close\r\n\r\n"))
        },
        Requirement("testNoReason") { context in
            let (head, _) = try await context.response(
                .raw("HTTP/1.1 200\r\nConnection: close\r\n\r\n")
            )

            try expect(head.status, is: 200, "The status")
        },
        Requirement("test204WithContentLength") { context in
            try await expectEmpty(204, "No Content", context)
        },
        Requirement("test304WithContentLength") { context in
            try await expectEmpty(304, "Not Modified", context)
        },
        Requirement("testIncompleteBody") { context in
            try await context.expectFailure(
                .raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n1234")
            )
        },
        Requirement("testNoLengthHint") { context in
            let (_, body) = try await context.response(
                .raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n1234")
            )

            try expect(body, is: Data("1234".utf8), "The body")
        },
        Requirement("testConflictingContentLength") { context in
            try await context.expectFailure(
                .raw("HTTP/1.1 200 OK\r\nContent-Length: 10, 4\r\nConnection: close\r\n\r\n1234")
            )
        },
    ]

    /// Methods, statuses and fields.
    static let messages: [TransportConformance.Requirement] = [
        Requirement("testOk") { context in
            let server = try context.server(.status(200))
            for method: HTTP.Method in [.head, .get, .put, .post, .delete] {
                let (head, body) = try await context.exchange(HTTP.Request(method, server.url("/")))

                try expect(head.status, is: 200, "The status of \(method)")
                try expect(body, is: Data(), "The body of \(method)")
                try expect(head.trailers == nil, "\(method) has trailers.")
            }
        },
        Requirement("testCustomHeader") { context in
            let request = try await context.arrival {
                .post($0.url("/"), headers: ["X-Foo": "BARbaz"], body: "Hello World")
            }

            try expect(request.headers.values("X-Foo"), is: ["BARbaz"], "The field")
        },
        Requirement("testNotFound") { context in
            let (head, body) = try await context.response(.status(404))

            try expect(head.status, is: 404, "The status")
            try expect(body, is: Data(), "The body")
        },
        Requirement("testStatusOutOfRangeButValid") { context in
            let (head, _) = try await context.response(.status(999))

            try expect(head.status, is: 999, "The status")
        },
        Requirement("testClientSendsEmptyHeaderValue") { context in
            let request = try await context.arrival {
                .post($0.url("/"), headers: ["X-Test": ""])
            }

            try expect(request.headers.values("X-Test"), is: [""], "The field")
        },
        Requirement("testHeadWithContentLength") { context in
            let server = try context.server(.status(200, headers: ["Content-Length": "1000"]))

            let (head, body) = try await context.exchange(.head(server.url("/")))

            try expect(head.status, is: 200, "The status")
            try expect(body, is: Data(), "The body")
        },
        Requirement("testServerSendsMultiValueHeader") { context in
            let (head, _) = try await context.response(
                .status(200, headers: ["X-Test": "one", "X-Test": "two"])
            )

            try expect(members(of: head.headers), is: ["one", "two"], "The values")
        },
        Requirement("testClientSendsMultiValueHeader") { context in
            let request = try await context.arrival {
                .get($0.url("/"), headers: ["X-Test": "one", "X-Test": "two"])
            }

            try expect(members(of: request.headers), is: ["one", "two"], "The values")
        },
        Requirement("testURLParams") { context in
            let request = try await context.arrival {
                .get($0.url("/request?foo=bar&bar=baz&baz=qux&qux=&foo=phew"))
            }

            let pairs = HTTP.URL(received: request.target).queryParameters
            try expect(
                pairs.map { "\($0.name)=\($0.value)" },
                is: ["foo=bar", "bar=baz", "baz=qux", "qux=", "foo=phew"],
                "The parameters"
            )
        },
    ]

    private static func expectEmpty(
        _ status: Int,
        _ reason: String,
        _ context: ConformanceContext
    ) async throws {
        let reply =
            "HTTP/1.1 \(status) \(reason)\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n"
        let (head, body) = try await context.response(.raw(reply))

        try expect(head.status.code, is: status, "The status")
        try expect(body, is: Data(), "The body")
    }

    // A list in one field is the same as several fields (RFC 9110 section 5.3).
    private static func members(of headers: HTTP.Headers) -> [String] {
        headers.values("X-Test").flatMap { $0.split(separator: ",") }
            .map { HTTP.FieldSyntax.trimmed(String($0)) }
    }
}
