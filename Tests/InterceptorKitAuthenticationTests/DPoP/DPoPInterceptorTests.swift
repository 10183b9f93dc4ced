import Expectations
import Foundation
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("DPoPInterceptor")
struct DPoPInterceptorTests {
    private let key = DPoPKey(
        signer: HashSigner(),
        publicKey: .ellipticCurve("P-256", x: [1, 2, 3], y: [4, 5, 6])
    )

    private func client(_ transport: ScriptedTransport<HTTP.Request>) throws -> HTTP.Client {
        try HTTP.Client(transport: transport, timeout: nil) {
            RetryInterceptor(policy: .steady)
            DPoPInterceptor(key: key, origins: ["https://api.example.com"])
        }
    }

    @Test("makes a new proof for each attempt")
    func attempts() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(503), .status(200)])

        _ = try Simulation.run { simulation in
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: .steady)
                DPoPInterceptor(key: key, origins: ["https://api.example.com"])
            }
            return try await client.send(.get(orders))
        }

        let ids = try transport.sent.map { try SentProof($0.input)["jti"] }
        expectEqual(Set(ids).count, 2)
    }

    @Test("replays twice with required nonces, and returns a third 401")
    func resourceServer() async throws {
        func demand(_ nonce: String) -> ScriptStep<HTTP.Request> {
            .status(
                401,
                headers: [
                    "WWW-Authenticate": #"DPoP error="use_dpop_nonce", error_description="No.""#,
                    "DPoP-Nonce": nonce,
                ]
            )
        }
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            demand("n1"), demand("n2"), demand("n3"),
            .status(200, headers: ["DPoP-Nonce": "n4"]), .status(200),
        ])
        let client = try client(transport)

        let first = try await client.send(.get(orders)).status
        let second = try await client.send(.get(orders)).status
        let third = try await client.send(.get(orders)).status

        expectEqual([first, second, third], [401, 200, 200])
        let nonces = try transport.sent.map { try SentProof($0.input)["nonce"] }
        expectEqual(nonces, [nil, "n1", "n2", "n3", "n4"])
    }

    @Test("follows a nonce that changes between the request and its replay")
    func changingNonce() async throws {
        let demands = ["n1", "n2"].map { nonce in
            ScriptStep<HTTP.Request>.json(
                #"{"error":"use_dpop_nonce"}"#,
                status: 400,
                headers: ["DPoP-Nonce": nonce]
            )
        }
        let transport = ScriptedTransport<HTTP.Request>(replies: demands + [.status(200)])

        let status = try await client(transport).send(.get(orders)).status

        expectEqual(status, 200)
        let nonces = try transport.sent.map { try SentProof($0.input)["nonce"] }
        expectEqual(nonces, [nil, "n1", "n2"])
    }

    @Test("replays with the nonce that an authorization server demands", arguments: [400, 401])
    func authorizationServer(status: Int) async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .json(
                #"{"error":"use_dpop_nonce"}"#,
                status: HTTP.Status(status),
                headers: ["DPoP-Nonce": "n1"]
            ),
            .json(#"{"access_token":"a1","token_type":"DPoP"}"#),
        ])
        let pipeline = try Pipeline(transport: transport) {
            DPoPInterceptor(key: key, origins: ["https://login.example.com"])
        }
        let endpoint = TokenEndpoint(
            "https://login.example.com/token",
            client: .public(id: "app"),
            pipeline: pipeline
        )

        let credential = try await ClientCredentialsSource(at: endpoint).load()

        expectEqual(credential?.fields.first?.value, "DPoP a1")
        try expectEqual(SentProof(transport.sent[1].input)["nonce"], "n1")
    }

    @Test("reads a body that may require a nonce for 10 s at most")
    func drippingDemand() async throws {
        try await onEverySeed(0..<50) { simulation in
            let stream = PausingStream(1, every: .seconds(1), times: 3600, simulation.runtime)
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(400, headers: ["DPoP-Nonce": "n1"], body: .oneShot(stream))
            ])
            let client = try simulation.client(transport) {
                DPoPInterceptor(key: key, origins: ["https://api.example.com"])
            }

            let response = try await client.send(.get(orders))

            try requireEqual(response.status, 400)
            try requireEqual(simulation.now.offset, .seconds(10))
        }
    }

    @Test(
        "replays nothing unless a valid new nonce is required",
        arguments: [
            (401, "Bearer", "n1", ""), (401, #"DPoP error="invalid_token""#, "n1", ""),
            (401, #"DPoP error="use_dpop_nonce""#, nil, ""),
            (401, #"DPoP error="use_dpop_nonce""#, "n\"1", ""),
            (400, "", "n1", "{"), (400, "", "n1", #"{"error":"invalid_grant"}"#),
            (403, #"DPoP error="use_dpop_nonce""#, "n1", ""),
        ] as [(Int, String, String?, String)]
    )
    func noDemand(status: Int, challenge: String, nonce: String?, body: String) async throws {
        var headers: HTTP.Headers = ["WWW-Authenticate": challenge]
        headers["DPoP-Nonce"] = nonce
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(HTTP.Status(status), headers: headers, body: .text(body))
        ])

        let response = try await client(transport).send(.get(orders))

        expectEqual(response.status, HTTP.Status(status))
        try await expectEqual(response.text(), body)
    }

    @Test("replays neither with the same nonce nor with a one-shot body")
    func nothingNew() async throws {
        let demand = ScriptStep<HTTP.Request>.status(
            401,
            headers: ["WWW-Authenticate": #"DPoP error="use_dpop_nonce""#, "DPoP-Nonce": "n1"]
        )
        let transport = ScriptedTransport<HTTP.Request>(replies: [demand, demand, demand])
        let client = try client(transport)

        let body = HTTP.Body.oneShot(CountingStream(chunks: 1))
        _ = try await client.send(.post(orders, body: body))
        expectEqual(transport.sent.count, 1)
        _ = try await client.send(.get(orders))
        expectEqual(transport.sent.count, 2)
        try expectEqual(SentProof(transport.sent[1].input)["nonce"], "n1")
    }

    @Test("keeps nonces apart by origin, and adds no proof for other origins")
    func origins() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(200, headers: ["DPoP-Nonce": "n"])
        }
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            DPoPInterceptor(key: key, origins: ["https://a.example", "https://b.example"])
        }

        for host in ["a", "b", "a", "c"] {
            _ = try await client.send(.get(HTTP.URL("https://\(host).example/")))
        }

        let nonces = try transport.sent.prefix(3).map { try SentProof($0.input)["nonce"] }
        expectEqual(nonces, [nil, nil, "n"])
        expectEqual(transport.sent[3].input.headers["DPoP"], nil)
    }

    @Test("refuses invalid keys and origins when a pipeline is built")
    func invalid() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let secret = DPoPKey(
            signer: HashSigner(algorithm: .hmacSHA256),
            publicKey: key.publicKey
        )
        for interceptor in [
            DPoPInterceptor(key: secret, origins: ["https://api.example.com"]),
            DPoPInterceptor(key: key, origins: []),
            DPoPInterceptor(key: key, origins: ["nowhere"]),
        ] {
            #expect(throws: PipelineError.self) {
                try HTTP.Client(transport: transport, timeout: nil) { interceptor }
            }
        }
    }
}
