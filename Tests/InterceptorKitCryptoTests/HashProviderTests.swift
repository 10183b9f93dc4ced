#if Crypto
import Foundation
import InterceptorKit
import InterceptorKitCrypto
import Testing

@Suite("Hashes of swift-crypto")
struct HashProviderTests {
    private static let algorithms: [HashAlgorithm] = [
        .md5, .sha1, .sha224, .sha256, .sha384, .sha512, .sha512_256,
    ]

    @Test("equal those of the core for any length and any chunking", arguments: algorithms)
    func sameDigests(_ algorithm: HashAlgorithm) {
        for length in [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 300, 5000] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            var pieces = RunningHash(algorithm, by: .swiftCrypto)
            for start in stride(from: 0, to: length, by: 37) {
                pieces.update(bytes[start..<min(start + 37, length)])
            }

            #expect(algorithm.hash(bytes, by: .swiftCrypto) == algorithm.hash(bytes))
            #expect(pieces.finalize() == algorithm.hash(bytes))
            #expect(
                algorithm.authenticationCode(of: bytes, key: bytes, by: .swiftCrypto)
                    == algorithm.authenticationCode(of: bytes, key: bytes)
            )
        }
    }

    @Test("continue independently after a copy", arguments: algorithms)
    func copies(_ algorithm: HashAlgorithm) {
        var first = RunningHash(algorithm, by: .swiftCrypto)
        first.update("a".utf8)
        var second = first
        second.update("b".utf8)
        first.update("c".utf8)

        #expect(first.finalize() == algorithm.hash("ac".utf8))
        #expect(second.finalize() == algorithm.hash("ab".utf8))
    }

    @Test("make the same signatures as the core's hashes", arguments: [true, false])
    func signatures(isStated: Bool) throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let key = SigningKey(id: "k", secret: "secret".utf8)
        let freshness = SignatureFreshness(date: date, nonce: "00")
        let contexts = [HashProvider.builtIn, .swiftCrypto].map {
            SigningContext(key: key, freshness: freshness, hashing: $0)
        }
        let schemes: [any SignatureScheme] = [
            HMACScheme(coversBody: false), .s3(region: "r"), .tencentTC3(service: "cvm"), .slack,
            MessageSignatureScheme(),
        ]
        for scheme in schemes {
            let signed = try contexts.map {
                try scheme.sign(.get("https://h.example/a?b=c"), $0)
            }
            #expect(signed[0].headers == signed[1].headers)
        }
    }

    @Test("sign a request's body when they are passed to a SignInterceptor")
    func interceptor() async throws {
        let signer = RequestSigner.hmacSHA256(keyID: "app-1", secret: "s3cret")
        // snippet.swiftCrypto
        let sign = SignInterceptor(signer, hashing: .swiftCrypto)
        // snippet.end
        let pipeline = try Pipeline(transport: Echo()) { sign }

        let response = try await pipeline.run(.post("https://h.example/", body: "content"))

        let sent = try #require(response.request)
        let key = SigningKey(id: "app-1", secret: "s3cret".utf8)
        #expect(HMACScheme().verify(sent, with: key, date: Date()))
    }
}

private struct Echo: Transport {
    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        var response = HTTP.Response(200)
        response.request = input
        return response
    }
}
#endif
