#if JWT
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitJWT

@Suite("JSONWebKeySet")
struct JSONWebKeySetTests {
    @Test(
        "finds the metadata of an issuer where its standard says",
        arguments: [
            (
                "https://a.example", "/.well-known/openid-configuration",
                "/.well-known/oauth-authorization-server"
            ),
            (
                "https://a.example/", "/.well-known/openid-configuration",
                "/.well-known/oauth-authorization-server"
            ),
            (
                "https://a.example/t/1", "/t/1/.well-known/openid-configuration",
                "/.well-known/oauth-authorization-server/t/1"
            ),
            (
                "http://127.0.0.1:8080/t/", "/t/.well-known/openid-configuration",
                "/.well-known/oauth-authorization-server/t"
            ),
        ]
    )
    func locations(_ issuer: String, _ openID: String, _ oauth: String) async throws {
        let origin = try unwrap(HTTP.URL(string: issuer).originText)
        let metadata = #"{"issuer":"\#(issuer)","jwks_uri":"\#(origin)/keys?v=1"}"#
        let rotated = String(decoding: set([key("a")]), as: UTF8.self)
        let cases: [(JSONWebKeySet.Location, [String])] = [
            (.openIDConfiguration, [origin + openID, origin + "/keys?v=1"]),
            (.authorizationServerMetadata, [origin + oauth, origin + "/keys?v=1"]),
            (.keys(at: "https://b.example/k"), ["https://b.example/k"]),
        ]
        for (location, urls) in cases {
            let transport = ScriptedTransport(
                replies: (urls.count == 2 ? [.json(metadata)] : []) + [.json(rotated)]
            )
            let keys = try JSONWebKeySet(
                issuer: issuer,
                over: HTTP.Client(transport: transport),
                location: location
            )

            expectTrue(try await keys.has("a", on: Call()))
            expectEqual(transport.sent.map(\.input.url.text), urls)
        }
    }

    @Test(
        "refuses addresses that anyone on the way could answer for",
        arguments: [
            "", "issuer", "http://a.example", "http://127.0.0.1.a.example", "http://127.0.0",
            "http://localhost.a.example", "https://a.example?x", "https://a.example/#x",
            "https://u:p@a.example", "ftp://a.example", "http://[::2]", "http://0.0.0.0",
        ]
    )
    func unsafe(_ address: String) {
        let client = HTTP.Client(transport: CannedTransport(200))
        #expect(throws: SettingError.self) { try JSONWebKeySet(issuer: address, over: client) }
        if !address.utf8.contains(UInt8(ascii: "x")) || address.begins(with: "http:") {
            let url = HTTP.URL(unvalidated: address)
            #expect(throws: SettingError.self) {
                try JSONWebKeySet(issuer: TestIssuer.url, over: client, location: .keys(at: url))
            }
            #expect(throws: SettingError.self) {
                try JSONWebKeySet(
                    issuer: TestIssuer.url,
                    over: client,
                    origins: [HTTP.Origin(address)]
                )
            }
        }
    }

    @Test("refuses settings that cannot work")
    func settings() {
        let changes: [(inout JSONWebKeySetPolicy) -> Void] = [
            { $0.lifetime = .zero }, { $0.shortestLifetime = .zero },
            { $0.staleFor = .seconds(-1) },
            { $0.longestLifetime = .seconds(1) }, { $0.unknownKeyBurst = 0 },
            { $0.timeout = .zero },
            { $0.unknownKeyInterval = .zero }, { $0.unknownKeyBurst = .max },
        ]
        for change in changes {
            var policy = JSONWebKeySetPolicy.standard
            change(&policy)
            #expect(throws: SettingError.self) { try policy.validate() }
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: AuthorizationServerError.Code
        var metadata: HTTP.Response = .keysAt("https://issuer.example/keys")
        var keys = HTTP.Response(200, body: .bytes(set([InterceptorKitJWTTests.key("a")])))
        var origins: [HTTP.Origin] = []

        init(
            _ name: String,
            _ code: AuthorizationServerError.Code,
            metadata: HTTP.Response? = nil,
            keys: HTTP.Response? = nil,
            origins: [HTTP.Origin] = []
        ) {
            testDescription = name
            self.code = code
            self.origins = origins
            if let metadata { self.metadata = metadata }
            if let keys { self.keys = keys }
        }
    }

    static let faults: [Fault] = [
        Fault("another issuer", .issuerMismatch, metadata: .metadata(of: "https://evil.example")),
        Fault("a slash more", .issuerMismatch, metadata: .metadata(of: "https://issuer.example/")),
        Fault("capitals", .issuerMismatch, metadata: .metadata(of: "https://Issuer.example")),
        Fault("no issuer", .issuerMismatch, metadata: .text("{}")),
        Fault(
            "two issuers",
            .issuerMismatch,
            metadata: .text(#"{"issuer":["https://issuer.example"]}"#)
        ),
        Fault("HTML", .malformedMetadata, metadata: .text("<html></html>")),
        Fault("a list", .malformedMetadata, metadata: .text("[]")),
        Fault(
            "no address",
            .malformedMetadata,
            metadata: .text(#"{"issuer":"https://issuer.example"}"#)
        ),
        Fault("a relative address", .malformedMetadata, metadata: .keysAt("/keys")),
        Fault("a file", .malformedMetadata, metadata: .keysAt("file:///etc/keys")),
        Fault("a foreign host", .untrustedOrigin, metadata: .keysAt("https://evil.example/keys")),
        Fault("a host below", .untrustedOrigin, metadata: .keysAt("https://a.issuer.example/keys")),
        Fault(
            "another port",
            .untrustedOrigin,
            metadata: .keysAt("https://issuer.example:444/keys")
        ),
        Fault("plain http", .untrustedOrigin, metadata: .keysAt("http://issuer.example/keys")),
        Fault("this machine", .untrustedOrigin, metadata: .keysAt("http://127.0.0.1/keys")),
        Fault(
            "a host that is not listed",
            .untrustedOrigin,
            metadata: .keysAt("https://evil.example/keys"),
            origins: ["https://keys.example"]
        ),
        Fault(
            "redirected metadata",
            .unreachable,
            metadata: .redirect(to: "https://issuer.example/m")
        ),
        Fault("redirected keys", .unreachable, keys: .redirect(to: "https://evil.example/keys")),
        Fault("large metadata", .malformedMetadata, metadata: .text(.spaces(64 * 1024 + 1))),
        Fault("large keys", .malformedKeys, keys: .text(.spaces(512 * 1024 + 1))),
        Fault("keys in HTML", .malformedKeys, keys: .text("<html></html>")),
        Fault("no keys", .noKeys, keys: .text(#"{"keys":[]}"#)),
        Fault("an error", .unreachable, metadata: HTTP.Response(404)),
        Fault("no content", .unreachable, keys: HTTP.Response(204)),
    ]

    @Test("says what is wrong with an issuer, and asks nobody else", arguments: faults)
    func refuses(_ fault: Fault) async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            request.url.path == "/keys" ? fault.keys : fault.metadata
        }
        let client = try HTTP.Client(transport: transport) { RedirectInterceptor() }
        let keys = try JSONWebKeySet(issuer: TestIssuer.url, over: client, origins: fault.origins)

        let errors = await [
            failure(of: AuthorizationServerError.self) { try await keys.has("a", on: Call()) },
            failure(of: AuthorizationServerError.self) { try await keys.has("b", on: Call()) },
        ]

        expectEqual(errors.map { $0?.code }, [fault.code, fault.code])
        expectTrue(transport.sent.count <= 2)
        expectTrue(transport.sent.allSatisfy { $0.input.url.originText == TestIssuer.url })
        let answer = errors[0].flatMap { HTTP.Response(answering: $0) }
        expectEqual(answer?.status, 503)
    }

    @Test("is one line over a client with retries, from the first call on")
    func newcomer() throws {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503),
                .json(
                    #"{"issuer":"https://login.example.com","jwks_uri":"https://login.example.com/k"}"#
                ),
                .json(String(decoding: set([key("a")]), as: UTF8.self)),
            ])
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                RetryInterceptor(policy: .standard)
            }
            let keys = try JSONWebKeySet(issuer: "https://login.example.com", over: client)

            expectTrue(try await keys.has("a", on: Call(runtime: simulation.runtime)))
        }
    }

    @Test("takes keys from an origin that is listed")
    func listed() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .reply(.keysAt("https://keys.example/k")),
            .json(String(decoding: set([key("a")]), as: UTF8.self)),
        ])
        let keys = try JSONWebKeySet(
            issuer: TestIssuer.url,
            over: HTTP.Client(transport: transport),
            origins: ["https://keys.example"]
        )

        expectTrue(try await keys.has("a", on: Call()))
    }

    @Test("gives up on half, endless and late answers", arguments: [0, 1, 2, 3])
    func stalled(_ kind: Int) throws {
        let (code, elapsed, cancels) = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let lost = TransportError(.connectionLost, "The connection was reset.")
            let stream = DrippingStream(
                runtime,
                #"{"keys":["#,
                breaking: kind == 0 ? (2, lost) : nil
            )
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                if request.url.path != "/keys" { return .keysAt("https://issuer.example/keys") }
                if kind == 2 { try await runtime.sleep(for: .seconds(3600)) }
                return HTTP.Response(kind == 3 ? 500 : 200, body: .oneShot(stream))
            }
            let client = HTTP.Client(transport: transport, timeout: nil, runtime: runtime)
            let keys = try JSONWebKeySet(issuer: TestIssuer.url, over: client)
            let error = await failure(of: AuthorizationServerError.self) {
                try await keys.has("a", on: Call(runtime: runtime))
            }
            return (error?.code, runtime.now.offset, stream.cancels)
        }

        expectEqual(code, .unreachable)
        // A client and a stream notice the end of their time up to a second later.
        expectTrue(kind == 0 ? elapsed == .seconds(3) : (.seconds(10) ... .seconds(11)) ~= elapsed)
        expectTrue(cancels > 0 || kind == 0 || kind == 2)
    }

    // With the live runtime, whose tasks inherit the call that is served where they start.
    @Test("is no part of the call that is served")
    func unserved() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .json(String(decoding: set([key("a")]), as: UTF8.self))
        ])
        let client = try HTTP.Client(transport: transport, timeout: nil) { ServedCallInterceptor() }
        var policy = JSONWebKeySetPolicy.standard
        policy.timeout = .seconds(7200)
        let keys = try JSONWebKeySet(
            issuer: TestIssuer.url,
            over: client,
            location: .keys(at: "https://issuer.example/keys"),
            policy: policy
        )
        let served = Call().withDeadline(within: .seconds(3600))
        let isThere = try await served.serve { try await keys.has("a", on: served) }

        expectTrue(isThere)
        let deadline = try unwrap(transport.sent.first?.call.deadline)
        expectTrue(try unwrap(served.deadline).duration(to: deadline) > .seconds(3000))
    }

    @Test("leaves a call at its deadline, and goes on without it")
    func separate() throws {
        try Simulation.run { simulation in
            let issuer = TestIssuer(simulation.runtime, delay: { .seconds(2) })
            let sent = ScriptedTransport<HTTP.Request> { request, call in
                try await issuer.answer(request)
            }
            let client = try HTTP.Client(transport: sent, runtime: simulation.runtime) {
                ServedCallInterceptor()
                TraceContextInterceptor()
            }
            let keys = try JSONWebKeySet(issuer: TestIssuer.url, over: client)
            let served = Call(runtime: simulation.runtime).withDeadline(within: .seconds(1))
            let error = await failure(of: AuthorizationServerError.self) {
                try await served.serve { try await keys.has("k0", on: served) }
            }
            expectEqual(error?.code, .timedOut)
            expectEqual(simulation.now.offset, .seconds(1))
            let isThere = try await keys.has("k0", on: Call(runtime: simulation.runtime))

            expectTrue(isThere)
            expectEqual(simulation.now.offset, .seconds(4))
            expectEqual(sent.sent.count, 2)
            for request in sent.sent.map(\.input) {
                expectTrue(!request.headers.contains("Authorization"))
                expectEqual(request.headers["Cache-Control"], "no-cache")
            }
        }
    }
}

extension HTTP.Response {
    fileprivate static func text(_ text: String) -> HTTP.Response {
        HTTP.Response(200, body: .text(text))
    }

    fileprivate static func metadata(of issuer: String) -> HTTP.Response {
        text(#"{"issuer":"\#(issuer)","jwks_uri":"https://issuer.example/keys"}"#)
    }

    fileprivate static func keysAt(_ url: String) -> HTTP.Response {
        text(#"{"issuer":"https://issuer.example","jwks_uri":"\#(url)"}"#)
    }
}

extension String {
    fileprivate static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
#endif
