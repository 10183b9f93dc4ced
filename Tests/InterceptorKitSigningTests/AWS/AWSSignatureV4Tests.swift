import Foundation
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("AWSSignatureV4")
struct AWSSignatureV4Tests {
    private let key = SigningKey(
        id: "AKIDEXAMPLE",
        secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8
    )

    private func context(_ key: SigningKey, _ date: TimeInterval = 1_440_938_160) -> SigningContext
    {
        SigningContext(
            key: key,
            freshness: SignatureFreshness(date: Date(timeIntervalSince1970: date), nonce: "")
        )
    }

    @Test("signs a request with the fields Authorization and X-Amz-Date")
    func field() throws {
        let scheme = AWSSignatureV4(service: "service", region: "us-east-1")

        let signed = try scheme.sign(.get("https://example.amazonaws.com/"), context(key))

        #expect(signed.headers["X-Amz-Date"] == "20150830T123600Z")
        #expect(
            signed.headers["Authorization"]
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=host;x-amz-date, "
                + "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        )
        #expect(!signed.headers.contains("X-Amz-Content-Sha256"))
    }

    @Test("covers all other fields but the excepted ones, in any case")
    func exceptions() throws {
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        scheme.signedFields = .all(except: ["X-NOTE"])
        let fields: HTTP.Headers = ["X-Note": "a", "X-Other": "b", "User-Agent": "c"]
        let request = HTTP.Request.get("https://h.example/", headers: fields)

        let signed = try scheme.sign(request, context(key))

        let field = signed.headers["Authorization"]
        #expect(field?.contains("SignedHeaders=host;x-amz-date;x-other,") == true)
        #expect(scheme.coveredFields(of: request) == ["x-other"])
    }

    @Test("signs a query by bytes, also with escapes that aren't UTF-8")
    func bytes() throws {
        let scheme = AWSSignatureV4(service: "service", region: "us-east-1")

        let text = try scheme.explain(.get("https://h.example/?b=%ff&&a&b=%41"), context(key))

        #expect(text.canonicalRequest?.split(separator: "\n")[2] == "a=&b=%FF&b=A")
    }

    @Test("signs a signed request again as if for the first time", arguments: [true, false])
    func again(signsToken: Bool) throws {
        var key = key
        key.token = "token"
        var scheme = AWSSignatureV4.s3(region: "us-east-1")
        scheme.signsToken = signsToken
        let request = HTTP.Request.put("https://h.example/a", body: "content")

        let once = try scheme.sign(request, context(key))
        let other = AWSSignatureV4.s3(region: "us-east-1")
        var twice = try other.sign(request, context(self.key, 0))
        twice.headers["X-Amz-Content-Sha256"] = nil
        twice = try scheme.sign(twice, context(key))

        #expect(twice.headers["Authorization"] == once.headers["Authorization"])
        #expect(twice.headers["X-Amz-Security-Token"] == "token")
    }

    @Test("makes a presigned URL with a lifetime")
    func presigned() throws {
        let scheme = AWSSignatureV4.s3(region: "us-east-1")

        let url = try scheme.presignedURL(
            for: .get("https://examplebucket.s3.amazonaws.com/test.txt"),
            context(
                SigningKey(
                    id: "AKIAIOSFODNN7EXAMPLE",
                    secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8
                ),
                1_369_353_600
            ),
            validFor: .seconds(86_400)
        )

        #expect(
            url.queryParameters.last?.value
                == "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        )
        #expect(scheme.location == .field)
    }

    @Test("refuses a URL lifetime of zero or of more than seven days", arguments: [0, -1, 604_801])
    func expiry(_ seconds: Int) {
        let scheme = AWSSignatureV4.s3(region: "us-east-1")

        #expect {
            try scheme.presignedURL(
                for: .get("https://h.example/"),
                context(key),
                validFor: .seconds(seconds)
            )
        } throws: { ($0 as? SigningError)?.code == .invalidScheme }
    }

    @Test("accepts every time and chunk size up to its bounds")
    func bounds() throws {
        var scheme = AWSSignatureV4.s3(region: "us-east-1")
        for seconds in [1, 604_800] {
            scheme.location = .query(validFor: .seconds(seconds))

            try scheme.validate()
        }

        scheme.location = .field
        scheme.payload = .chunked(size: 8192)
        try scheme.validate()
        scheme.payload = .chunked(size: 8191)
        #expect(throws: SigningError.self) { try scheme.validate() }
    }

    @Test("distinguishes providers by name and field prefix, in any case")
    func providers() {
        typealias Provider = AWSSignatureV4.Provider

        #expect(Provider("AWS", fields: "AMZ") == .aws)
        #expect(Set([Provider("aws", fields: "amz"), .aws]).count == 1)
        #expect(Provider("aws") != .aws)
        #expect(Provider("goog", fields: "amz") != .aws)
    }

    @Test(
        "refuses dates that no timestamp can express",
        arguments: [
            TimeInterval.infinity, -.infinity, .nan, 1e300, -1e15, 253_402_300_800,
        ]
    )
    func dates(_ date: TimeInterval) {
        let scheme = AWSSignatureV4(service: "service", region: "us-east-1")

        #expect {
            try scheme.sign(.get("https://h.example/"), context(key, date))
        } throws: { ($0 as? SigningError)?.code == .invalidDate }
    }

    @Test("refuses a private key for version 4 and a secret for version 4A")
    func keyKinds() {
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        let private4 = SigningKey(id: "AKID", signer: BlankSigner())
        let isUnsuitable = { (error: any Error) in (error as? SigningError)?.code == .unsuitableKey
        }

        #expect {
            try scheme.sign(.get("https://h.example/"), context(private4))
        } throws: { isUnsuitable($0) }
        scheme.algorithm = .ecdsaP256SHA256
        #expect {
            try scheme.sign(.get("https://h.example/"), context(key))
        } throws: { isUnsuitable($0) }
    }

    @Test(
        "refuses a private key for version 4A that isn't on P-256",
        arguments: [
            (SignatureAlgorithm.ed25519, 64), (.ecdsaP384SHA384, 96), (.ecdsaP256SHA256, 63),
            (.ecdsaP256SHA256, 65),
        ]
    )
    func otherCurves(algorithm: SignatureAlgorithm, count: Int) {
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        scheme.algorithm = .ecdsaP256SHA256
        let key = SigningKey(id: "AKID", signer: SizedSigner(algorithm: algorithm, count: count))

        #expect {
            try scheme.sign(.get("https://h.example/"), context(key))
        } throws: { ($0 as? SigningError)?.code == .unsuitableKey }
    }

    @Test("refuses a body that it can neither hash nor cut into known chunks")
    func unsignable() {
        let stream = HTTP.Body.replayable { AsyncStream<Data> { $0.finish() } }
        let request = HTTP.Request.put("https://h.example/a", body: stream)

        for payload in [AWSSignatureV4.Payload.signed, .chunked(size: 65_536)] {
            #expect {
                try AWSSignatureV4.s3(region: "r", payload: payload).sign(request, context(key))
            } throws: { ($0 as? SigningError)?.code == .unsignableBody }
        }
    }

    @Test("refuses a provider whose name is invalid in fields", arguments: ["a b", "ä", "a:"])
    func providerName(name: String) {
        var scheme = AWSSignatureV4(service: "s", region: "r")
        for provider in [AWSSignatureV4.Provider(name), .init("aws", fields: name)] {
            scheme.provider = provider
            #expect {
                try scheme.validate()
            } throws: { ($0 as? SigningError)?.code == .invalidScheme }
        }
    }

    @Test("refuses invalid scopes, key IDs and requests")
    func badInput() throws {
        let scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        var broken = HTTP.Request.get("https://h.example/")
        broken.headers["X-Note"] = "a\r\nb"

        #expect(throws: SigningError.self) {
            try AWSSignatureV4(service: "a/b", region: "r").validate()
        }
        #expect(throws: SigningError.self) {
            try AWSSignatureV4(service: "s", region: "").validate()
        }
        #expect(throws: SigningError.self) {
            try scheme.sign(
                .get("https://h.example/"),
                context(SigningKey(id: "a/b", secret: "s".utf8))
            )
        }
        #expect(throws: HTTP.RequestError.self) { try scheme.sign(broken, context(key)) }
        #expect(throws: HTTP.RequestError.self) { try scheme.sign(.get("/relative"), context(key)) }
    }

    @Test("signs version 4A with a signature in DER")
    func asymmetric() throws {
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        scheme.algorithm = .ecdsaP256SHA256
        let key = SigningKey(id: "AKID", signer: BlankSigner())

        let signed = try scheme.sign(.get("https://h.example/"), context(key))

        #expect(signed.headers["X-Amz-Region-Set"] == "us-east-1")
        let half = "022100" + String(repeating: "80", count: 32)
        #expect(signature(of: signed) == "3046" + half + half)
    }

    @Test("sends a body in signed chunks, also a one-shot body", arguments: [true, false])
    func chunks(isReplayable: Bool) async throws {
        let content = Data(repeating: UInt8(ascii: "a"), count: 66_560)
        let parts = AsyncStream<Data> { continuation in
            for start in stride(from: 0, to: content.count, by: 10_000) {
                continuation.yield(content[start..<min(start + 10_000, content.count)])
            }
            continuation.finish()
        }
        var request = HTTP.Request.put(
            "https://s3.amazonaws.com/examplebucket/chunkObject.txt",
            body: isReplayable ? .bytes(content) : .oneShot(length: content.count, parts)
        )
        request.headers["x-amz-storage-class"] = "REDUCED_REDUNDANCY"
        let key = SigningKey(
            id: "AKIAIOSFODNN7EXAMPLE",
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8
        )
        let scheme = AWSSignatureV4.s3(region: "us-east-1", payload: .chunked(size: 65_536))

        let signed = try scheme.sign(request, context(key, 1_369_353_600))
        var sent = Data()
        for try await chunk in signed.body { sent += chunk }

        // The figures of AWS, "Signature calculations: transferring payload in multiple chunks".
        #expect(
            signature(of: signed)
                == "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"
        )
        #expect(sent.count == 66_824)
        #expect(signed.body.length == 66_824)
        let end =
            "0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n"
        #expect(sent.suffix(end.utf8.count) == Data(end.utf8))
    }

    @Test("signs differently on another day, and with another secret of one ID")
    func derivedKeys() throws {
        let scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        let other = SigningKey(id: key.id, secret: "other".utf8)
        let request = HTTP.Request.get("https://h.example/")

        let first = try scheme.sign(request, context(key))
        var signatures = Set([signature(of: first)])
        for day in 1...20 {
            let date = 1_440_938_160 + 86_400 * Double(day)
            signatures.insert(signature(of: try scheme.sign(request, context(key, date))))
        }
        signatures.insert(signature(of: try scheme.sign(request, context(other))))

        #expect(signatures.count == 22)
        #expect(signature(of: try scheme.sign(request, context(key))) == signature(of: first))
    }
}

/// Makes signatures of a length.
private struct SizedSigner: MessageSigner {
    let algorithm: SignatureAlgorithm
    let count: Int

    func signature(of message: [UInt8]) -> [UInt8] { Array(repeating: 1, count: count) }
}
