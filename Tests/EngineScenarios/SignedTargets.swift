package import InterceptorKit
import InterceptorKitAWS
import InterceptorKitAuthentication
package import InterceptorKitConformance
import InterceptorKitSigning
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Whether a server that takes the request line as it came finds every kind of signature right.
package enum SignedTargets {
    /// Tries a transport with each kind.
    package static func run(
        against name: String,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> TransportConformance.Report {
        await TransportConformance.run(
            TransportConformance.Requirement.signedTargets,
            as: "signed targets \(name)",
            make: make
        )
    }
}

extension TransportConformance.Requirement {
    fileprivate static let signedTargets: [Self] = [
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
        Self("sends the target that a DPoP proof names") { context in
            let key = DPoPKey(
                signer: NoSigner(),
                publicKey: .ellipticCurve("P-256", x: [1], y: [2])
            )
            try await context.eachTarget {
                DPoPInterceptor(key: key, origins: [$0])
            } expecting: {
                let claims = try Claims(proof: $0.headers["DPoP"] ?? "")
                let host = $0.headers["Host"] ?? ""
                try expect(claims.htu, is: "http://\(host)\($0.path)", "The claim htu")
            }
        },
        Self("sends the target that a Digest answer names") { context in
            try await context.eachTarget {
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
        Self("sends the target that \(kind) covers") { context in
            try await context.eachTarget { _ in
                SignInterceptor(signer)
            } expecting: { arrived in
                let service = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
                let pipeline = try Pipeline(transport: service) { VerifyInterceptor(verification) }
                let url = HTTP.URL(
                    unvalidated: "http://" + (arrived.headers["Host"] ?? "") + arrived.target
                )
                let status = try await pipeline.run(
                    HTTP.Request(arrived.method, url, headers: arrived.headers)
                ).status
                try expect(status, is: 200, "The result of \(arrived.target)")
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
            throw ExpectationFailure("The proof is not in base64url.")
        }
        self = try JSONDecoder().decode(Self.self, from: data)
    }
}

/// Signs nothing: what is of interest is what would be signed.
private struct NoSigner: MessageSigner {
    let algorithm = SignatureAlgorithm.ecdsaP256SHA256

    func signature(of message: [UInt8]) -> [UInt8] { [0] }
}
