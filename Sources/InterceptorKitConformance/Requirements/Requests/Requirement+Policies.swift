import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    // Tasks of interceptors that an engine might perform by itself.
    static let policies: [Self] = [
        redirect(301), redirect(302), redirect(303), redirect(307), redirect(308),
        Self("delivers a redirect's body") { context in
            let fields: HTTP.Headers = ["Content-Type": "text/plain", "Location": "/elsewhere"]

            let (head, body) = try await context.response(
                .status(302, headers: fields, body: "moved")
            )

            try expect(head.status, is: 302, "The status")
            try expect(String(decoding: body, as: UTF8.self), is: "moved", "The body")
        },
        Self("delivers a redirect whose target is no URL") { context in
            for target in ["http://", "http://exa mple/", "::::", "%%%", "/\u{7F}"] {
                let (head, _) = try await context.response(.redirect(to: target))
                try expect(head.headers["Location"], is: target, "The target")
            }
        },
        Self("delivers a redirect to an address without a scheme") { context in
            for target in ["//[::1]:1/", "//exa%20mple/", "//a%2Fb/"] {
                let (head, _) = try await context.response(.redirect(to: target))
                try expect(head.headers["Location"], is: target, "The target")
            }
        },
        challenge("Basic", 401, ["WWW-Authenticate": "Basic realm=\"x\""]),
        challenge(
            "Digest",
            401,
            ["WWW-Authenticate": "Digest realm=\"x\", nonce=\"n\", qop=\"auth\""]
        ),
        challenge("Bearer", 401, ["WWW-Authenticate": "Bearer error=\"invalid_token\""]),
        challenge("proxy", 407, ["Proxy-Authenticate": "Basic realm=\"x\""]),
        Self("delivers 401 without a challenge") { context in
            let (head, body) = try await context.response(.text("no entry", status: 401))

            try expect(head.status, is: 401, "The status")
            try expect(String(decoding: body, as: UTF8.self), is: "no entry", "The body")
        },
        Self("does not send again what was answered with 503") { context in
            try await context.expectSingleSend(
                .status(503, headers: ["Retry-After": "0"], body: "busy")
            )
        },
        Self("does not send again what was answered with 408 or 429") { context in
            try await context.expectSingleSend(.text("slow", status: 408))
            try await context.expectSingleSend(.text("slow", status: 429))
        },
        Self("does not send a POST again whose connection broke") { context in
            for reply in [LoopbackServer.Reply.closedBeforeReply, .reset] {
                let server = try context.server(reply)

                _ = try await context.failure(of: "The send") {
                    try await context.exchange(.post(server.url("/"), body: "x"))
                }

                _ = try context.single(server)
            }
        },
        Self("does not send back a cookie that it was given") { context in
            let server = try context.server(
                .status(200, headers: ["Set-Cookie": "a=1; Path=/", "Set-Cookie": "b=2"])
            )

            _ = try await context.exchange(.get(server.url("/")))
            _ = try await context.exchange(.get(server.url("/")))

            let cookies = server.requests.map { $0.headers["Cookie"] ?? "none" }
            try expect(cookies, is: ["none", "none"], "The cookies")
        },
        Self("answers nothing from a cache") { context in
            let server = try context.server { request in
                .status(
                    200,
                    headers: ["Cache-Control": "max-age=3600", "ETag": "\"a\""],
                    body: "\(request.number)"
                )
            }

            _ = try await context.exchange(.get(server.url("/")))
            let (_, body) = try await context.exchange(.get(server.url("/")))

            try expect(String(decoding: body, as: UTF8.self), is: "2", "The second body")
        },
        Self("delivers 304 to a condition of the caller's") { context in
            let server = try context.server { request in
                request.headers["If-None-Match"] == "\"a\""
                    ? .status(304, headers: ["ETag": "\"a\""])
                    : .status(200, headers: ["ETag": "\"a\""], body: "content")
            }

            _ = try await context.exchange(.get(server.url("/")))
            let (head, body) = try await context.exchange(
                .get(server.url("/"), headers: ["If-None-Match": "\"a\""])
            )

            try expect(head.status, is: 304, "The status")
            try expect(body.isEmpty, "There is a body.")
        },
    ]

    private static func redirect(_ code: Int) -> Self {
        Self("delivers \(code) as it came and follows it nowhere") { context in
            let elsewhere = try context.server(.text("elsewhere"))
            let target = elsewhere.url("/").text
            let server = try context.server(.redirect(to: target, status: HTTP.Status(code)))

            let (head, _) = try await context.exchange(
                .post(server.url("/"), headers: ["Authorization": "Bearer t"], body: "x")
            )
            _ = try await context.exchange(.get(server.url("/next")))

            try expect(head.status.code, is: code, "The status")
            try expect(head.headers["Location"], is: target, "The target")
            try expect(elsewhere.requests.isEmpty, "The redirect was followed.")
        }
    }

    private static func challenge(_ kind: String, _ code: Int, _ fields: HTTP.Headers) -> Self {
        Self("delivers a \(kind) challenge and its body, and does not answer it") { context in
            let server = try context.server(
                .status(HTTP.Status(code), headers: fields, body: "no entry")
            )

            let (head, body) = try await context.exchange(
                .get(server.url("/"), headers: ["Authorization": "Basic eDp5"])
            )

            try expect(head.status.code, is: code, "The status")
            try expect(head.headers[fields[0].name], is: fields[0].value, "The challenge")
            try expect(String(decoding: body, as: UTF8.self), is: "no entry", "The body")
            _ = try context.single(server)
        }
    }
}

extension ConformanceContext {
    fileprivate nonisolated(nonsending) func expectSingleSend(
        _ reply: LoopbackServer.Reply
    ) async throws {
        let server = try server(reply)
        let (head, _) = try await exchange(.get(server.url("/")))
        try expect(head.status, is: reply.status, "The status")
        _ = try single(server)
    }
}
