#if JWT
import BoundedWaits
import Crypto
import CryptoExtras
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitSigning
import InterceptorKitTesting
import Testing

@testable import InterceptorKitJWT

@Suite("DPoPVerification")
struct DPoPVerificationTests {
    /// Accepts one opaque token.
    private struct OneToken: AccessTokenVerifier {
        let text: String
        let token: AccessToken

        func verify(_ token: String, on call: Call) async throws -> AccessToken {
            guard token == text else { throw AccessTokenError(.notActive, "Another token.") }
            return self.token
        }
    }

    /// A store that is away, or has no room.
    private struct NoStore: NonceStore {
        let isFull: Bool

        func note(
            _ nonce: String,
            of keyID: String,
            until expiry: Date,
            at date: Date
        ) async throws -> NonceCheckResult {
            guard isFull else { throw StoreError(.unreachable, "The store is away.") }
            return .full
        }
    }

    private let world = BearerWorld()

    private func service(_ dpop: DPoPVerification) async throws -> Pipeline<HTTP.Request> {
        try world.service(BearerTokenInterceptor(try await world.verifier(), dpop: dpop))
    }

    /// The client side of this library with the world's key, over a service.
    private func client(_ service: Pipeline<HTTP.Request>, _ sent: Counter) throws -> HTTP.Client {
        let key = DPoPKey(signer: TestSigner(key: world.proofKey), publicKey: world.publicProofKey)
        let network = ScriptedTransport<HTTP.Request> { request, _ in
            sent.add()
            return try await service.run(request)
        }
        let token = world.token(claims: ["cnf": world.confirmation])
        return try HTTP.Client(transport: network, timeout: nil, runtime: world.runtime) {
            TokenInterceptor(
                source: FixedCredentialSource(.dpop(token)),
                origins: ["https://api.example.com"]
            )
            DPoPInterceptor(key: key, origins: ["https://api.example.com"])
        }
    }

    @Test("accepts the proof of RFC 9449 figure 13, and not that of figure 2")
    func published() async throws {
        let header =
            "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0"
            + "VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10"
            + "NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19"
        let resource =
            "eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFt"
            + "cGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNF"
            + "c05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6p"
            + "xHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"
        let token =
            "eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1w"
            + "bGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg"
            + "4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
        let verifier = OneToken(
            text: "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU",
            token: AccessToken(
                principal: Principal("user-7"),
                keyThumbprint: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
            )
        )
        let service = try Pipeline(
            transport: ScriptedTransport<HTTP.Request>(replies: [.status(200)]),
            runtime: .live(date: { Date(timeIntervalSince1970: 1_562_262_620) })
        ) { BearerTokenInterceptor(verifier, dpop: DPoPVerification()) }
        func status(_ method: HTTP.Method, _ url: HTTP.URL, _ proof: String) async throws -> Int {
            let fields = [
                ("Authorization", "DPoP \(verifier.text)"), ("DPoP", "\(header).\(proof)"),
            ]
            let request = HTTP.Request(method, url, headers: HTTP.Headers(fields))
            return try await service.run(request).status.code
        }

        let accepted = try await status(
            .get,
            "https://resource.example.org/protectedresource",
            resource
        )
        let refused = try await status(.post, "https://server.example.com/token", token)

        expectEqual([accepted, refused], [200, 401])
    }

    /// A key, and how it signs by one algorithm.
    private struct Signer {
        let algorithm: String
        let key: JSONWebKey
        let sign: (Data) throws -> Data
    }

    private func signers() throws -> [Signer] {
        let p384 = P384.Signing.PrivateKey()
        let p521 = P521.Signing.PrivateKey()
        let ed25519 = Curve25519.Signing.PrivateKey()
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try rsa.publicKey.getKeyPrimitives()
        let rsaKey = JSONWebKey.rsa(modulus: numbers.modulus, exponent: numbers.publicExponent)
        func point(_ curve: String, _ bytes: Data) -> JSONWebKey {
            let half = bytes.count / 2
            return .ellipticCurve(curve, x: bytes.prefix(half), y: bytes.suffix(half))
        }
        return [
            Signer(algorithm: "ES384", key: point("P-384", p384.publicKey.rawRepresentation)) {
                try p384.signature(for: $0).rawRepresentation
            },
            Signer(algorithm: "ES512", key: point("P-521", p521.publicKey.rawRepresentation)) {
                try p521.signature(for: $0).rawRepresentation
            },
            Signer(
                algorithm: "EdDSA",
                key: .octetPair("Ed25519", x: ed25519.publicKey.rawRepresentation)
            ) { try ed25519.signature(for: $0) },
            Signer(algorithm: "RS256", key: rsaKey) {
                try rsa.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5)
                    .rawRepresentation
            },
            Signer(algorithm: "PS512", key: rsaKey) {
                try rsa.signature(for: SHA512.hash(data: $0), padding: .PSS).rawRepresentation
            },
        ]
    }

    // Two names of one algorithm (RFC 9864 section 2.2).
    private static let names = ["EdDSA": ["EdDSA", "Ed25519"]]

    @Test("accepts proofs by each kind of key, and by its algorithm alone")
    func kinds() async throws {
        let service = try await service(DPoPVerification())
        for signer in try signers() {
            let token = world.token(claims: ["cnf": #"{"jkt":"\#(signer.key.thumbprint)"}"#])
            func status(_ algorithm: String) async throws -> Int {
                let header = BearerWorld.json(
                    world.proofHeader,
                    ["alg": "\"\(algorithm)\"", "jwk": BearerWorld.json(signer.key)]
                )
                let claims = BearerWorld.json(
                    BearerWorld.proofClaims(for: token),
                    ["jti": "\"\(signer.algorithm), \(algorithm)\""]
                )
                let proof = BearerWorld.signed(header, claims) { (try? signer.sign($0)) ?? Data() }
                let request = BearerWorld.request(
                    ("Authorization", "DPoP \(token)"),
                    ("DPoP", proof)
                )
                return try await service.run(request).status.code
            }

            for algorithm in SignatureAlgorithms.all.sorted() {
                let own = Self.names[signer.algorithm] ?? [signer.algorithm]
                let expected = own.contains(algorithm) ? 200 : 401
                try await expectEqual(
                    status(algorithm),
                    expected,
                    "\(signer.algorithm), \(algorithm)"
                )
            }
        }
    }

    @Test("accepts a proof once")
    func replayed() async throws {
        let service = try await service(DPoPVerification())
        let request = world.dpop()

        let statuses = try await [service.run(request), service.run(request)].map(\.status.code)

        expectEqual(statuses, [200, 401])
        expectEqual(world.reasons, ["proofReplayed"])
    }

    /// A verifier that takes its time.
    private struct Slow: AccessTokenVerifier {
        let verifier: JSONWebTokenVerifier
        let work: @Sendable () -> Void

        func verify(_ token: String, on call: Call) async throws -> AccessToken {
            work()
            return try await verifier.verify(token, on: call)
        }
    }

    @Test("accepts no proof again whose time ends while its token is verified")
    func endsMeanwhile() async throws {
        let (seconds, isSlow) = (Counter(), Counter())
        func wait(until end: Int) { while seconds.count < end { seconds.add() } }
        let verifier = Slow(verifier: try await world.verifier()) {
            if isSlow.count > 0 { for _ in 0..<2 { seconds.add() } }
        }
        let service = try Pipeline(
            transport: ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) },
            runtime: .live(date: {
                Date(timeIntervalSince1970: Double(BearerWorld.now + seconds.count))
            })
        ) { BearerTokenInterceptor(verifier, dpop: DPoPVerification()) }
        // The store forgets by generation, of which this begins one.
        try await expectEqual(service.run(world.dpop(proofClaims: ["jti": #""a""#])).status, 200)
        wait(until: 119)
        let request = world.dpop(proofClaims: ["iat": "\(BearerWorld.now + 179)"])
        try await expectEqual(service.run(request).status, 200)
        wait(until: 239)
        isSlow.add()

        try await expectEqual(service.run(request).status, 401)
    }

    @Test("remembers no proof of a caller without a valid token")
    func unknownCallers() async throws {
        let store = NonceCache()
        let service = try await service(DPoPVerification(replays: store))
        let forged = world.dpop(claims: ["cnf": world.confirmation, "iss": #""https://x""#])

        _ = try await service.run(forged)
        expectEqual(store.count, 0)
        _ = try await service.run(world.dpop())
        expectEqual(store.count, 1)
    }

    @Test("throws what is answered with 503 if the store cannot tell", arguments: [true, false])
    func noStore(isFull: Bool) async throws {
        let service = try await service(DPoPVerification(replays: NoStore(isFull: isFull)))

        let error = await #expect(throws: StoreError.self) {
            try await service.run(world.dpop())
        }

        try expectEqual(HTTP.Response(answering: unwrap(error))?.status, 503)
    }

    @Test("serves this library's clients, with one more request for a nonce")
    func clients() async throws {
        let sent = Counter()
        let plain = try client(try await service(DPoPVerification()), sent)
        for _ in 0..<3 {
            try await expectEqual(plain.send(.get("https://api.example.com/a%20b?c")).status, 200)
        }
        expectEqual(sent.count, 3)

        let nonces = DPoPVerification(nonces: DPoPNonces(), isRequired: true)
        let strict = try client(try await service(nonces), sent)
        for _ in 0..<3 {
            try await expectEqual(strict.send(.post("https://api.example.com/")).status, 200)
        }
        expectEqual(sent.count, 7)
        expectEqual(world.reasons, ["proofNonce"])
    }

    @Test("says both schemes, and the algorithms, in a challenge")
    func challenges() async throws {
        let dpop = DPoPVerification(algorithms: ["ES256", "EdDSA"])

        let response = try await service(dpop).run(.get("https://api.example.com/orders"))

        expectEqual(
            response.headers.values("WWW-Authenticate"),
            ["Bearer", #"DPoP algs="ES256 EdDSA""#]
        )
    }

    @Test("refuses settings that accept nothing, or what anyone can make")
    func invalid() async throws {
        let rules = [
            DPoPVerification(algorithms: []), DPoPVerification(algorithms: ["ES256", "HS256"]),
            DPoPVerification(algorithms: ["none"]), DPoPVerification(tolerance: .zero),
            DPoPVerification(nonces: DPoPNonces(lifetime: .zero)),
            DPoPVerification(nonces: DPoPNonces(key: [1, 2, 3])),
        ]
        for rule in rules {
            let verifier = try await world.verifier()
            #expect(throws: PipelineError.self) {
                try world.service(BearerTokenInterceptor(verifier, dpop: rule))
            }
        }
    }
}
#endif
