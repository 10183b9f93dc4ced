import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Behaviour {
    // What is signed is what arrives: a server that takes the request line as it came finds every
    // signature right. A transport that cannot send a target as it is refuses it.
    static let signedTargets: [Self] = [
        signed(
            "a message signature",
            RequestSigner(
                MessageSignatureScheme(covered),
                key: SigningKey(id: "key", secret: secret)
            ),
            .messageSignature(MessageSignatureVerifier(keys: keys, requiring: covered))
        ),
        signed(
            "an AWS signature",
            RequestSigner(
                AWSSignatureV4.s3(region: "eu-west-1"),
                key: SigningKey(id: "key", secret: secret)
            ),
            .aws(AWSSignatureV4Verifier(.s3(region: "eu-west-1"), keys: keys))
        ),
        signed(
            "an HMAC",
            .hmacSHA256(keyID: "key", secret: secret),
            .hmac(HMACScheme(), keys: FixedSigningKeys([SigningKey(id: "key", secret: secret)]))
        ),
        signed(
            "a template's signature",
            RequestSigner(template, key: SigningKey(id: "key", secret: secret)),
            .template(template, keys: FixedSigningKeys([SigningKey(id: "key", secret: secret)]))
        ),
        Self("sends the target that a DPoP proof names") { trial in
            let key = DPoPKey(
                signer: NoSigner(),
                publicKey: .ellipticCurve("P-256", x: [1], y: [2])
            )
            try await trial.eachTarget {
                DPoPInterceptor(key: key, origins: [$0])
            } expecting: {
                let claims = try Claims(proof: $0.headers["DPoP"] ?? "")
                let host = $0.headers["Host"] ?? ""
                try expect(claims.htu, is: "http://\(host)\($0.path)", "The claim htu")
            }
        },
        Self("sends the target that a Digest answer names") { trial in
            try await trial.eachTarget {
                DigestInterceptor(user: "user", password: "", origins: [$0])
            } expecting: {
                let answer = try HTTP.Challenge.parse($0.headers.values("Authorization")).first
                try expect(answer?["uri"], is: $0.target, "The parameter uri")
            }
        },
    ]

    private static let secret = Array("secret".utf8)
    private static let keys = FixedVerificationKeys([VerificationKey(id: "key", secret: secret)])
    private static let covered = SignatureCoverage([
        .method, .targetURI, .requestTarget, .authority, .path, .query,
    ])
    private static let template = TemplateScheme(
        signing: "\(.url) \(.baseURL) \(.host) \(.path) \(.requestTarget)",
        with: .hmac(.sha256),
        in: .field("X-Signature", "\(.signature)")
    )

    private static func signed(
        _ kind: String,
        _ signer: RequestSigner,
        _ verification: RequestVerification
    ) -> Self {
        Self("sends the target that \(kind) covers") { trial in
            try await trial.eachTarget { _ in
                SignInterceptor(signer)
            } expecting: { arrived in
                let service = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
                let pipeline = try Pipeline(transport: service) { VerifyInterceptor(verification) }
                let url = HTTP.URL("http://" + (arrived.headers["Host"] ?? "") + arrived.target)
                let status = try await pipeline.run(
                    HTTP.Request(arrived.method, url, headers: arrived.headers)
                ).status
                try expect(status, is: 200, "The verdict on \(arrived.target)")
            }
        }
    }
}

extension Trial {
    /// What comes after the host, in every form that an engine might rewrite.
    private static let targets = [
        "", "?", "/?", "/a?", "/a?#f", "?b", "/a/../z", "/a/./b/..", "/../..", "/a/%2e%2E/z",
        "//", "/a//b", "/%7E%c3%A9", "/a;b=c,d", "/a?b=../c&&d=%2e", "/a#../f",
    ]

    /// Sends a request for each target and looks at how it arrives; one that is refused before anything
    /// is sent needs none.
    fileprivate nonisolated(nonsending) func eachTarget(
        _ interceptor: (HTTP.Origin) -> any Interceptor<HTTP.Request>,
        expecting: (LoopbackServer.Request) async throws -> Void
    ) async throws {
        let server = try server { request in
            request.headers.contains("Authorization")
                ? .status(200)
                : .status(401, headers: ["WWW-Authenticate": #"Digest realm="r", nonce="n""#])
        }
        for host in ["127.0.0.1", "LOCALHOST"] {
            let origin = HTTP.Origin(scheme: "http", host: host, port: server.port)
            let pipeline = try Pipeline(transport: transport) { interceptor(origin) }
            for target in Self.targets {
                let before = server.requests.count
                let url = HTTP.URL("HTTP://\(raw: host):\(server.port)\(raw: target)")
                do {
                    let response = try await pipeline.run(.get(url), call: Call())
                    _ = try await response.body.collect(upTo: 1024)
                } catch is HTTP.RequestError {
                    try expect(server.requests.count == before, "\(target) was sent and refused.")
                    continue
                }
                guard let request = server.requests.last, server.requests.count > before else {
                    throw Unmet("Nothing arrived for \(target).")
                }
                try await expecting(request)
            }
        }
    }
}

/// What a DPoP proof says of the request.
private struct Claims: Decodable {
    let htu: String

    init(proof: String) throws {
        let parts = proof.split(separator: ".")
        try expect(parts.count == 3, "The proof has \(parts.count) parts.")
        var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        guard let data = Data(base64Encoded: String(text)) else {
            throw Unmet("The proof is not in base64url.")
        }
        self = try JSONDecoder().decode(Self.self, from: data)
    }
}

/// Signs nothing: what is of interest is what would be signed.
private struct NoSigner: MessageSigner {
    let algorithm = SignatureAlgorithm.ecdsaP256SHA256

    func signature(of message: [UInt8]) -> [UInt8] { [0] }
}
