import InterceptorKit

extension TransportConformance.Behaviour {
    // What an engine might do by itself, and interceptors do here.
    static let policies: [Self] = [
        redirect(301), redirect(302), redirect(303), redirect(307), redirect(308),
        Self("delivers a redirect's body") { trial in
            var reply = LoopbackServer.Reply.text("moved", status: 302)
            reply.headers.append("Location", "/elsewhere")

            let (head, body) = try await trial.answer(reply)

            try expect(head.status, is: 302, "The status")
            try expect(String(decoding: body, as: UTF8.self), is: "moved", "The body")
        },
        Self("delivers a redirect whose target is no URL") { trial in
            for target in ["http://", "http://exa mple/", "::::", "%%%", "/\u{7F}"] {
                let (head, _) = try await trial.answer(.redirect(to: target))
                try expect(head.headers["Location"], is: target, "The target")
            }
        },
        Self("delivers a redirect to an address without a scheme") { trial in
            for target in ["//[::1]:1/", "//exa%20mple/", "//a%2Fb/"] {
                let (head, _) = try await trial.answer(.redirect(to: target))
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
        Self("delivers 401 without a challenge") { trial in
            let (head, body) = try await trial.answer(.text("no entry", status: 401))

            try expect(head.status, is: 401, "The status")
            try expect(String(decoding: body, as: UTF8.self), is: "no entry", "The body")
        },
        Self("does not send again what was answered with 503") { trial in
            try await trial.expectSingleSend(
                .status(503, headers: ["Retry-After": "0"], body: "busy")
            )
        },
        Self("does not send again what was answered with 408 or 429") { trial in
            try await trial.expectSingleSend(.text("slow", status: 408))
            try await trial.expectSingleSend(.text("slow", status: 429))
        },
        Self("does not send a POST again whose connection broke") { trial in
            for reply in [LoopbackServer.Reply.closedBeforeReply, .reset] {
                let server = try trial.server(reply)

                _ = try await trial.failure(of: "The send") {
                    try await trial.exchange(.post(server.url("/"), body: "x"))
                }

                _ = try trial.single(server)
            }
        },
        Self("does not send back a cookie that it was given") { trial in
            let server = try trial.server(
                .status(200, headers: ["Set-Cookie": "a=1; Path=/", "Set-Cookie": "b=2"])
            )

            _ = try await trial.exchange(.get(server.url("/")))
            _ = try await trial.exchange(.get(server.url("/")))

            let cookies = server.requests.map { $0.headers["Cookie"] ?? "none" }
            try expect(cookies, is: ["none", "none"], "The cookies")
        },
        Self("answers nothing from a cache") { trial in
            let server = try trial.server { request in
                .status(
                    200,
                    headers: ["Cache-Control": "max-age=3600", "ETag": "\"a\""],
                    body: "\(request.number)"
                )
            }

            _ = try await trial.exchange(.get(server.url("/")))
            let (_, body) = try await trial.exchange(.get(server.url("/")))

            try expect(String(decoding: body, as: UTF8.self), is: "2", "The second body")
        },
        Self("delivers 304 to a condition of the caller's") { trial in
            let server = try trial.server { request in
                request.headers["If-None-Match"] == "\"a\""
                    ? .status(304, headers: ["ETag": "\"a\""])
                    : .status(200, headers: ["ETag": "\"a\""], body: "content")
            }

            _ = try await trial.exchange(.get(server.url("/")))
            let (head, body) = try await trial.exchange(
                .get(server.url("/"), headers: ["If-None-Match": "\"a\""])
            )

            try expect(head.status, is: 304, "The status")
            try expect(body.isEmpty, "There is a body.")
        },
    ]

    private static func redirect(_ code: Int) -> Self {
        Self("delivers \(code) as it came and follows it nowhere") { trial in
            let elsewhere = try trial.server(.text("elsewhere"))
            let target = elsewhere.url("/").text
            let server = try trial.server(.redirect(to: target, status: HTTP.Status(code)))

            let (head, _) = try await trial.exchange(
                .post(server.url("/"), headers: ["Authorization": "Bearer t"], body: "x")
            )
            _ = try await trial.exchange(.get(server.url("/next")))

            try expect(head.status.code, is: code, "The status")
            try expect(head.headers["Location"], is: target, "The target")
            try expect(elsewhere.requests.isEmpty, "The redirect was followed.")
        }
    }

    private static func challenge(_ kind: String, _ code: Int, _ fields: HTTP.Headers) -> Self {
        Self("delivers a \(kind) challenge and its body, and does not answer it") { trial in
            let server = try trial.server(
                .status(HTTP.Status(code), headers: fields, body: "no entry")
            )

            let (head, body) = try await trial.exchange(
                .get(server.url("/"), headers: ["Authorization": "Basic eDp5"])
            )

            try expect(head.status.code, is: code, "The status")
            try expect(head.headers[fields[0].name], is: fields[0].value, "The challenge")
            try expect(String(decoding: body, as: UTF8.self), is: "no entry", "The body")
            _ = try trial.single(server)
        }
    }
}

extension Trial {
    fileprivate nonisolated(nonsending) func expectSingleSend(
        _ reply: LoopbackServer.Reply
    ) async throws {
        let server = try server(reply)
        let (head, _) = try await exchange(.get(server.url("/")))
        try expect(head.status, is: reply.status, "The status")
        _ = try single(server)
    }
}
