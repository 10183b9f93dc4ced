import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

/// Through the interceptor, which goes the way that a trail allows.
@Suite("RedirectChain")
struct RedirectChainTests {
    private func run(
        _ request: HTTP.Request,
        through transport: ScriptedTransport<HTTP.Request>,
        _ policy: RedirectPolicy = RedirectPolicy(),
        configure: (inout Call) -> Void = { _ in }
    ) async throws -> HTTP.Response {
        let pipeline = try Pipeline(transport: transport) { RedirectInterceptor(policy: policy) }
        var call = Call()
        configure(&call)
        return try await pipeline.run(request, call: call)
    }

    @Test("takes the caller's Host to no other origin, not even a trusted one")
    func host() async throws {
        var policy = RedirectPolicy()
        policy.trustedOrigins = ["https://b.example"]
        let transport = web([
            "https://a.example/": .redirect(to: "/own"),
            "https://a.example/own": .redirect(to: "https://b.example/"),
        ])

        _ = try await run(
            .get("https://a.example/", headers: ["Host": "vhost.example", "X-Own": "1"]),
            through: transport,
            policy
        )

        let hosts = transport.sent.map { $0.input.headers["Host"] }
        expectEqual(hosts, ["vhost.example", "vhost.example", nil])
        expectEqual(transport.sent.last?.input.headers["X-Own"], "1")
    }

    @Test("follows 20 redirects, and throws at the 21st with its response")
    func limit() async throws {
        func transport(_ count: Int) -> ScriptedTransport<HTTP.Request> {
            var answers: [String: HTTP.Response] = [:]
            for number in 0..<count {
                let query = number == 0 ? "" : "?secret"
                answers["https://a.example/\(number)\(query)"] = .redirect(
                    to: "/\(number + 1)?secret"
                )
            }
            return web(answers)
        }

        let response = try await run(.get("https://a.example/0"), through: transport(20))
        let error = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/0"), through: transport(21))
        }

        expectEqual(response.status, 200)
        expectEqual(response.redirects.count, 20)
        expectEqual(error?.code, .tooMany)
        expectEqual(error?.response.status, 302)
        expectEqual(error?.response.redirects.count, 20)
        expectEqual(
            error?.description,
            "Redirect 21 of the call, 302 Found from https://a.example, is not "
                + "followed. 20 are followed at most. Raise the limit if the target needs more."
        )
    }

    @Test("returns a redirect if the call turns it off, and obeys a call's limit")
    func callSwitches() async throws {
        let transport = web([
            "https://a.example/1": .redirect(to: "/2"), "https://a.example/2": .redirect(to: "/3"),
        ])

        let delivered = try await run(.get("https://a.example/1"), through: transport) {
            $0.followsRedirects = false
        }
        let limited = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/1"), through: transport) { $0.redirectLimit = 1 }
        }
        let none = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/1"), through: transport) { $0.redirectLimit = -3 }
        }

        expectEqual(delivered.status, 302)
        expectEqual(limited?.response.redirects.count, 1)
        expectEqual(none?.response.redirects.isEmpty, true)
    }

    @Test("throws at a loop, unless a cookie was set or repeats are allowed")
    func circles() async throws {
        let circle = web([
            "https://a.example/1": .redirect(to: "/2"), "https://a.example/2": .redirect(to: "/1"),
            "https://a.example/3": .redirect(to: "#x"),
        ])
        let counted = ScriptedTransport<HTTP.Request> { _, call in
            call.redirects.count < 3
                ? HTTP.Response(302, headers: ["Location": "/1", "Set-Cookie": "a=1"])
                : HTTP.Response(200)
        }
        var patient = RedirectPolicy()
        patient.allowsRepeats = true
        patient.limit = 5

        let loop = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/1"), through: circle)
        }
        let same = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/3"), through: circle)
        }
        let cookies = try await run(.get("https://a.example/1"), through: counted)
        let limited = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/1"), through: circle, patient)
        }

        expectEqual(loop?.code, .loop)
        expectEqual(loop?.response.redirects.count, 1)
        expectEqual(same?.code, .loop)
        expectEqual(cookies.redirects.count, 3)
        expectEqual(limited?.code, .tooMany)
    }

    @Test("doesn't treat a GET after a POST to the same URL as a loop")
    func postThenGet() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            request.method == .post ? .redirect(303, to: "/1") : HTTP.Response(200)
        }

        let response = try await run(.post("https://a.example/1", body: "x"), through: transport)

        expectEqual(response.status, 200)
    }

    @Test("refuses to follow from https to http unless allowed")
    func downgrade() async throws {
        let transport = web(["https://a.example/1": .redirect(to: "http://a.example/2")])
        var lax = RedirectPolicy()
        lax.allowsDowngrade = true

        let error = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/1"), through: transport)
        }
        let response = try await run(.get("https://a.example/1"), through: transport, lax)

        expectEqual(error?.code, .downgrade)
        expectEqual(response.request?.url, "http://a.example/2")
    }
}
