import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

/// What other origins learn, with the interceptors below in place.
@Suite("RedirectInterceptor, credentials")
struct RedirectCredentialTests {
    private let there = "https://b.example/2"

    private func sent(
        _ request: HTTP.Request = .get("https://a.example/1"),
        to targets: [String],
        _ policy: RedirectPolicy = RedirectPolicy(),
        runtime: Runtime = .live,
        configure: (inout Call) -> Void = { _ in },
        @InterceptorBuilder<HTTP.Request> below: () -> [any Interceptor<HTTP.Request>] = { [] }
    ) async throws -> [ScriptedTransport<HTTP.Request>.Sent] {
        let transport = ScriptedTransport<HTTP.Request> { _, call in
            call.redirects.count < targets.count
                ? .redirect(to: targets[call.redirects.count]) : HTTP.Response(200)
        }
        let below = below()
        let pipeline = try Pipeline(transport: transport) {
            RedirectInterceptor(policy: policy)
            below
        }
        var call = Call(runtime: runtime)
        configure(&call)
        _ = try await pipeline.run(request, call: call)
        return transport.sent
    }

    @Test("drops the caller's own fields for another origin, and on the way back")
    func callersFields() async throws {
        let secrets = [
            "Authorization", "Cookie", "Proxy-Authorization", "X-API-Key", "X-Anything", "DPoP",
            "Signature", "Signature-Input", "Host", "Referer", "Origin",
        ]
        var request = HTTP.Request.get("https://a.example/1", headers: ["Accept": "*/*"])
        for name in secrets { request.headers[name] = "s3cret" }

        let sent = try await sent(request, to: ["/same", there, "https://a.example/back"])

        expectEqual(sent.count, 4)
        expectEqual(sent[1].input.headers.count, secrets.count + 1)
        expectEqual(sent[2].input.headers.map(\.name), ["Accept"])
        expectEqual(sent[3].input.headers.map(\.name), ["Accept"])
    }

    @Test("judges a request by the origin that the policy's prepare gave it")
    func prepared() async throws {
        var policy = RedirectPolicy()
        policy.prepare = { request, _ in
            request.headers["X-Hop"] = "1"
            request.url = "https://b.example/elsewhere"
        }
        let request = HTTP.Request.get(
            "https://a.example/1",
            headers: ["Authorization": "s3cret", "Accept": "*/*"]
        )

        let sent = try await sent(request, to: ["/same"], policy)

        expectEqual(sent[1].input.url, "https://b.example/elsewhere")
        expectEqual(sent[1].input.headers.map(\.name), ["Accept"])
        expectEqual(sent[1].call.redirects.map(\.changesOrigin), [true])
    }

    @Test(
        "treats another scheme, port or host as another origin",
        arguments: [
            ("http://a.example/1", "https://a.example/2"),
            ("https://a.example/1", "https://a.example:8443/2"),
            ("https://a.example/1", "https://www.a.example/2"),
            ("https://a.example/1", "https://a.example./2"),
        ]
    )
    func otherOrigins(from: String, to: String) async throws {
        let request = HTTP.Request.get(
            HTTP.URL(unvalidated: from),
            headers: ["Authorization": "s3cret"]
        )

        let sent = try await sent(request, to: [to])

        expectEqual(sent.map { $0.input.headers["Authorization"] }, ["s3cret", nil])
    }

    @Test("treats the default port and the host's case as the same origin")
    func sameOrigins() async throws {
        let request = HTTP.Request.get("https://a.example/1", headers: ["Authorization": "s3cret"])

        let sent = try await sent(request, to: ["HTTPS://A.EXAMPLE:443/2"])

        expectEqual(sent.map { $0.input.headers["Authorization"] }, ["s3cret", "s3cret"])
    }

    @Test("drops a field marked as a credential even if its name is allowed")
    func notedFields() async throws {
        let request = HTTP.Request.get("https://a.example/1", headers: ["User-Agent": "s3cret"])

        let noted = try await sent(request, to: [there]) {
            $0 = $0.credentialFields(adding: ["user-agent"])
        }
        let plain = try await sent(request, to: [there])

        expectEqual(noted.map { $0.input.headers["User-Agent"] }, ["s3cret", nil])
        expectEqual(plain.map { $0.input.headers["User-Agent"] }, ["s3cret", "s3cret"])
    }

    @Test("keeps credentials for trusted origins, and allowed fields for any")
    func trusted() async throws {
        let request = HTTP.Request.get(
            "https://a.example/1",
            headers: ["Authorization": "s3cret", "X-Tenant": "acme"]
        )
        var policy = RedirectPolicy()
        policy.trustedOrigins = ["https://b.example"]
        policy.fieldsAcrossOrigins.insert("x-tenant")

        let sent = try await sent(
            request,
            to: [there, "https://a.example/3", "https://c.example/4", "https://b.example/5"],
            policy
        )

        expectEqual(
            sent.map { $0.input.headers["Authorization"] },
            [
                "s3cret", "s3cret", "s3cret", nil, nil,
            ]
        )
        expectTrue(sent.allSatisfy { $0.input.headers["X-Tenant"] == "acme" })
    }

    @Test("attaches a token for its own origins on every hop, and for no other")
    func tokens() async throws {
        let targets = [there, "https://c.example/3", "https://a.example/4"]

        let sent = try await onEverySeed { simulation in
            let hops = try await self.sent(to: targets, runtime: simulation.runtime) {
                $0.credentialUse = .required
            } below: {
                TokenInterceptor(
                    source: FixedCredentialSource(.bearer("t")),
                    origins: ["https://a.example", "https://c.example"]
                )
            }
            return hops.map { $0.input.headers["Authorization"] }
        }

        expectEqual(sent, ["Bearer t", nil, "Bearer t", "Bearer t"])
    }

    @Test("signs each hop again, but none after another origin, unless allowed")
    func signatures() async throws {
        let signer = RequestSigner.hmacSHA256(keyID: "k", secret: "s")

        let plain = try await sent(
            to: ["/same", there, "https://a.example/4"],
            below: {
                SignInterceptor(signer)
            }
        )
        let named = try await sent(
            to: ["/same", there, "https://a.example/4"],
            below: {
                SignInterceptor(signer, afterRedirectsTo: ["https://b.example"])
            }
        )

        let signatures = plain.map { $0.input.headers["X-Signature"] }
        expectEqual(signatures.map { $0 == nil }, [false, false, true, true])
        expectEqual(Set(signatures).count, 3)
        expectEqual(
            named.map { $0.input.headers.contains("X-Signature") },
            [true, true, true, false]
        )
    }

    @Test("reports a withheld signature")
    func withheld() async throws {
        let sink = RecordingEventSink()
        let transport = web(["https://a.example/1": .redirect(to: there)])
        let pipeline = try Pipeline(transport: transport, events: sink) {
            RedirectInterceptor()
            SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
        }

        _ = try await pipeline.run(.get("https://a.example/1"))

        let names = sink.events.filter { $0.source == "SignInterceptor" }.map(\.name)
        expectEqual(
            names.filter { $0 == .signed || $0 == .signatureWithheld },
            [
                .signed, .signatureWithheld,
            ]
        )
    }

    @Test("hides a target's secrets in error descriptions")
    func errorText() async throws {
        let transport = web([
            "https://a.example/1": .redirect(to: "http://u:s3cret@b.example/s3cret?k=s3cret")
        ])
        let pipeline = try Pipeline(transport: transport) { RedirectInterceptor() }

        let error = await #expect(throws: RedirectError.self) {
            try await pipeline.run(.get("https://a.example/1"))
        }

        var dumped = ""
        dump(error, to: &dumped)
        expectEqual(error.map { "\($0)\(String(reflecting: $0))".contains("s3cret") }, false)
        expectTrue(!dumped.contains("s3cret"))
        expectTrue(dumped.contains("https to http"))
    }
}
