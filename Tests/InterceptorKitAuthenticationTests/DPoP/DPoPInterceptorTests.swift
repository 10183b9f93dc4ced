import Foundation
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

/// Signs by hashing: enough to see what is signed and that it is.
private struct HashSigner: MessageSigner {
    var algorithm = SignatureAlgorithm.ecdsaP256SHA256

    func signature(of message: [UInt8]) throws -> [UInt8] {
        Array(HashAlgorithm.sha512.hash(message))
    }
}

@Suite("DPoPInterceptor")
struct DPoPInterceptorTests {
    private let key = DPoPKey(
        signer: HashSigner(),
        publicKey: .ellipticCurve("P-256", x: [1, 2, 3], y: [4, 5, 6])
    )

    private struct Proof {
        var header: [String: Any]
        var claims: [String: Any]
        var isSigned: Bool

        init(_ request: HTTP.Request) throws {
            let text = try #require(request.headers["DPoP"])
            let parts = text.split(separator: ".").map(String.init)
            func json(_ part: String) throws -> [String: Any] {
                let data = Data(try #require(Base64.decode(Array(part.standardBase64.utf8))))
                return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            }
            header = try json(parts[0])
            claims = try json(parts[1])
            let signature = try HashSigner().signature(of: Array("\(parts[0]).\(parts[1])".utf8))
            isSigned = parts[2] == Base64URL.encode(signature)
        }

        subscript(name: String) -> String? { claims[name] as? String }
    }

    private func client(_ transport: ScriptedTransport<HTTP.Request>) throws -> HTTP.Client {
        try HTTP.Client(transport: transport) {
            RetryInterceptor(policy: .steady)
            DPoPInterceptor(key: key, origins: ["https://api.example.com"])
        }
    }

    @Test("proves the key for the method, the URL without query, and the token")
    func proof() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"

        _ = try await client(transport).send(
            .post(
                "https://API.example.com:443/a/../orders?x=1#f",
                headers: ["Authorization": "DPoP \(token)"]
            )
        )

        let proof = try Proof(transport.sent[0].input)
        #expect(proof.isSigned)
        #expect(proof.header["typ"] as? String == "dpop+jwt")
        #expect(proof.header["alg"] as? String == "ES256")
        #expect(
            proof.header["jwk"] as? [String: String] == [
                "kty": "EC", "crv": "P-256", "x": "AQID", "y": "BAUG",
            ]
        )
        #expect(proof["htm"] == "POST")
        #expect(proof["htu"] == "https://api.example.com/a/../orders")
        // The example of RFC 9449 section 7.1.
        #expect(proof["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        #expect(proof["nonce"] == nil)
        #expect(proof.claims["iat"] is Int)
        #expect(transport.sent[0].call.credentialFields == ["DPoP"])
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

        let ids = try transport.sent.map { try Proof($0.input)["jti"] }
        #expect(Set(ids).count == 2)
    }

    @Test("replays once with a demanded nonce, and returns a second demand")
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
            demand("n1"), demand("n2"), .status(200, headers: ["DPoP-Nonce": "n3"]), .status(200),
        ])
        let client = try client(transport)

        let first = try await client.send(.get(orders)).status
        let second = try await client.send(.get(orders)).status
        let third = try await client.send(.get(orders)).status

        #expect([first, second, third] == [401, 200, 200])
        let nonces = try transport.sent.map { try Proof($0.input)["nonce"] }
        #expect(nonces == [nil, "n1", "n2", "n3"])
    }

    @Test("replays with the nonce that an authorization server demands")
    func authorizationServer() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .json(#"{"error":"use_dpop_nonce"}"#, status: 400, headers: ["DPoP-Nonce": "n1"]),
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

        let credential = try await ClientCredentials(at: endpoint).load()

        #expect(credential?.fields.first?.value == "DPoP a1")
        #expect(try Proof(transport.sent[1].input)["nonce"] == "n1")
    }

    @Test("reads a body that may demand a nonce for 10 s at most")
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

            try #require(response.status == 400)
            try #require(simulation.now.offset == .seconds(10))
        }
    }

    @Test(
        "replays nothing without a demand and a valid new nonce",
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

        #expect(response.status == HTTP.Status(status))
        #expect(try await response.text() == body)
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
        #expect(transport.sent.count == 1)
        _ = try await client.send(.get(orders))
        #expect(transport.sent.count == 2)
        #expect(try Proof(transport.sent[1].input)["nonce"] == "n1")
    }

    @Test("uses the root path for a URL without a path")
    func root() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])

        _ = try await client(transport).send(.get("https://api.example.com?page=2"))

        #expect(try Proof(transport.sent[0].input)["htu"] == "https://api.example.com/")
    }

    @Test("keeps nonces apart by origin, and adds no proof for other origins")
    func origins() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(200, headers: ["DPoP-Nonce": "n"])
        }
        let client = try HTTP.Client(transport: transport) {
            DPoPInterceptor(key: key, origins: ["https://a.example", "https://b.example"])
        }

        for host in ["a", "b", "a", "c"] {
            _ = try await client.send(.get(HTTP.URL("https://\(host).example/")))
        }

        let nonces = try transport.sent.prefix(3).map { try Proof($0.input)["nonce"] }
        #expect(nonces == [nil, nil, "n"])
        #expect(transport.sent[3].input.headers["DPoP"] == nil)
    }

    @Test("writes iat in whole seconds, and 0 for an invalid date")
    func times() throws {
        let made = try [1_700_000_000.9, -0.5, 1e300, .nan].map { seconds in
            var request = HTTP.Request.get("https://api.example.com/")
            let proof = DPoPProof(key: key, request: request, nonce: nil)
            let date = Date(timeIntervalSince1970: seconds)
            request.headers["DPoP"] = try proof.text(at: date, id: [1])
            return try Proof(request).claims["iat"] as? Int
        }

        #expect(made == [1_700_000_000, -1, 0, 0])
    }

    @Test(
        "names algorithms as in RFC 7518 section 3.1 and RFC 8037 section 3.1",
        arguments: [
            (.ecdsaP256SHA256, "ES256"), (.ecdsaP384SHA384, "ES384"), (.ed25519, "EdDSA"),
            (.rsaPSSSHA512, "PS512"), (.rsaPKCS1SHA256, "RS256"),
        ] as [(SignatureAlgorithm, String)]
    )
    func algorithms(algorithm: SignatureAlgorithm, name: String) throws {
        let key = DPoPKey(
            signer: HashSigner(algorithm: algorithm),
            publicKey: self.key.publicKey
        )

        #expect(try key.algorithmName == name)
    }

    @Test("shows only the key's thumbprint")
    func shown() {
        var dumped = ""

        dump(key, to: &dumped)

        #expect(dumped.contains("- thumbprint: \"\(key.thumbprint)\""))
        #expect(!dumped.contains("igner"))
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
                try HTTP.Client(transport: transport) { interceptor }
            }
        }
    }
}

@Suite("JSONWebKey")
struct JSONWebKeyTests {
    @Test("has the thumbprint of RFC 8037 appendix A.3, and shows its kind")
    func octetPair() throws {
        let text = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo"
        let key = JSONWebKey.octetPair(
            "Ed25519",
            x: try #require(Base64.decode(Array(text.utf8)))
        )

        #expect(key.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        #expect("\(key)" == "JSONWebKey(OKP, \(key.thumbprint))")
    }

    @Test("has the thumbprints of RFC 9449 and RFC 7638")
    func thumbprints() throws {
        func bytes(_ text: String) throws -> [UInt8] {
            try #require(Base64.decode(Array(text.standardBase64.utf8)))
        }
        let curve = JSONWebKey.ellipticCurve(
            "P-256",
            x: try bytes("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs"),
            y: try bytes("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA")
        )
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_B"
            + "JECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_F"
            + "DW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4"
            + "vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
        let rsa = JSONWebKey.rsa(modulus: try bytes(modulus), exponent: [1, 0, 1])

        #expect(curve.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
        #expect(rsa.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }
}

extension String {
    fileprivate var standardBase64: String {
        String(map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    }
}
