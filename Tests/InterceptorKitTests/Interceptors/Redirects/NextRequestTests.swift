import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Redirects that were not followed, and the history of those that were; after the tests of requests' `response.next`
/// and `response.history` and of OkHttp's prior responses.
@Suite("Redirects that the caller follows")
struct NextRequestTests {
    private func client(
        _ transport: ScriptedTransport<HTTP.Request>,
        _ policy: RedirectPolicy = RedirectPolicy(),
        @InterceptorBuilder<HTTP.Request> below: () throws -> [any Interceptor<HTTP.Request>] = {
            []
        }
    ) throws -> HTTP.Client {
        try HTTP.Client(
            [RedirectInterceptor(policy: policy)] + below(),
            transport: transport,
            runtime: .virtual(clock: VirtualClock())
        )
    }

    @Test("have the request that would have followed, by the rules for following")
    func next() async throws {
        let fields: HTTP.Headers = [
            "Authorization": "Bearer s3cret", "Accept": "text/plain", "Content-Type": "text/plain",
        ]
        let rows: [(status: HTTP.Status, location: String?, next: String?)] = [
            (302, "/2", "GET https://a.example/2 Accept,Authorization"),
            (303, "/2", "GET https://a.example/2 Accept,Authorization"),
            (307, "/2", "POST https://a.example/2 Accept,Authorization,Content-Type"),
            (301, "https://b.example/2", "GET https://b.example/2 Accept"),
            // What would not be followed has no next request.
            (308, "https://b.example/2", nil), (302, "http://a.example/2", nil),
            (302, "ftp://a.example/2", nil), (302, nil, nil), (304, "/2", nil), (200, "/2", nil),
            (302, "", nil),
        ]
        for row in rows {
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                HTTP.Response(row.status, headers: row.location.map { ["Location": $0] } ?? [:])
            }
            let request = HTTP.Request.post("https://a.example/1", headers: fields, body: "x")

            let response = try await client(transport).send(request) { $0.followsRedirects = false }

            let next = response.nextRequest.map { next in
                let names = next.headers.map(\.name).sorted().joined(separator: ",")
                return "\(next.method.rawValue) \(next.url.text) \(names)"
            }
            expectEqual(response.status, row.status)
            expectEqual(next, row.next, "\(row)")
            expectEqual(transport.sent.count, 1)
        }
    }

    @Test("have it too if the policy stops them, as prepare makes it")
    func stopped() async throws {
        let transport = web([
            "https://a.example/1": .redirect(to: "/2"), "https://a.example/2": .redirect(to: "/3"),
        ])
        var policy = RedirectPolicy()
        policy.prepare = { request, _ in request.headers["X-Hop"] = "1" }
        policy.decide = { $0.number == 2 ? .deliver : .follow }
        var failing = RedirectPolicy()
        failing.prepare = { _, _ in throw Problem() }

        let stopped = try await client(transport, policy).send(.get("https://a.example/1"))
        let delivered = try await client(transport, failing).send(.get("https://a.example/1")) {
            $0.followsRedirects = false
        }
        let followed = try await client(transport).send(.get("https://a.example/1"))

        expectEqual(stopped.nextRequest?.url, "https://a.example/3")
        expectEqual(stopped.nextRequest?.headers["X-Hop"], "1")
        expectEqual(stopped.redirects.count, 1)
        expectEqual(delivered.status, 302)
        expectTrue(delivered.nextRequest == nil)
        expectTrue(followed.nextRequest == nil)
    }

    @Test("are followed one by one, with the redirects so far")
    func follow() async throws {
        let transport = web([
            "https://a.example/1": .redirect(301, to: "/2"),
            "https://a.example/2": .redirect(307, to: "https://b.example/3"),
            "https://b.example/3": .redirect(to: "https://a.example/4"),
        ])
        let client = try client(transport) {
            SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
        }
        let stop: @Sendable (inout Call) -> Void = { $0.followsRedirects = false }

        var responses = [
            try await client.send(
                .get("https://a.example/1", headers: ["X-Own": "s3cret"]),
                configure: stop
            )
        ]
        while let next = try await client.follow(responses[responses.count - 1], configure: stop) {
            responses.append(next)
        }

        expectEqual(responses.map(\.status), [301, 307, 302, 200])
        expectEqual(responses.map(\.redirects.count), [0, 1, 2, 3])
        expectEqual(responses.last?.redirects.map(\.number), [1, 2, 3])
        expectEqual(
            transport.sent.map { $0.input.headers["X-Own"] != nil },
            [true, true, false, false]
        )
        // As if they had been followed at once, no signature of the caller goes anywhere after another origin.
        expectEqual(
            transport.sent.map { $0.input.headers["X-Signature"] != nil },
            [true, true, false, false]
        )
        expectTrue(try await client.follow(HTTP.Response(302)) == nil)
    }

    @Test("release their response before they are followed")
    func release() async throws {
        let stream = CountingStream(chunks: 100)
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(302, headers: ["Location": "/2"], body: .oneShot(stream)), .status(200),
        ])
        let client = try client(transport)
        let response = try await client.send(.get("https://a.example/1")) {
            $0.followsRedirects = false
        }

        let next = try await client.follow(response)

        expectEqual(next?.status, 200)
        expectEqual(stream.cancels, 1)
    }

    @Test("are listed with the fields of their responses, without secrets")
    func history() async throws {
        let transport = web([
            "https://a.example/1": HTTP.Response(
                301,
                headers: [
                    "Location": "https://u:pw@a.example/2?token=s3cret",
                    "Cache-Control": "no-store",
                    "Set-Cookie": "session=s3cret", "X-Own": "s3cret",
                ]
            ),
            "https://a.example/2?token=s3cret": .redirect(to: "/3"),
        ])

        let response = try await client(transport).send(.get("https://a.example/1"))
        let plain = try await client(transport).send(.get("https://a.example/9"))

        var shown = ""
        for redirect in response.redirects {
            shown += redirect.headers.map { "\($0.name): \($0.value)\n" }.joined()
        }
        expectEqual(response.redirects.map(\.status), [301, 302])
        expectEqual(response.redirects.first?.headers["Cache-Control"], "no-store")
        expectTrue(response.redirects.first?.headers.contains("set-cookie") ?? false)
        expectTrue(!shown.contains("s3cret") && !shown.contains("pw"), "\(shown)")
        expectTrue(plain.redirects.isEmpty)
        expectEqual(response.redirects, response.redirects)
        expectTrue(response.redirects[0] != response.redirects[1])
        expectEqual(Set(response.redirects).count, 2)
    }
}
