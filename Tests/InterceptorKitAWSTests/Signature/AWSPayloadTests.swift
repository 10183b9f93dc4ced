import Expectations
import Foundation
import InterceptorKitSigning
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAWS

@Suite("AWSSignatureV4.PayloadHash")
struct AWSPayloadTests: SigV4SigningSuite {
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

    @Test("is what the request states, else a known hash, else that of the bytes")
    func sources() throws {
        let scheme = AWSSignatureV4.s3(region: "r")
        let request = HTTP.Request.put("https://h.example/a", body: "content")
        var stated = request
        stated.headers["X-Amz-Content-Sha256"] = "as-stated"
        func text(_ request: HTTP.Request, _ known: HashAlgorithm.Digest?) throws -> String {
            let freshness = context(key).freshness
            let context = SigningContext(key: key, freshness: freshness, bodyHash: known)
            return try scheme.payloadHash(of: request, context).text
        }
        let known = HashAlgorithm.sha256.hash("known".utf8)
        let own = HashAlgorithm.sha256.hash("content".utf8).hexadecimal

        try expectEqual(text(stated, known), "as-stated")
        try expectEqual(text(request, known), known.hexadecimal)
        try expectEqual(text(request, nil), own)
        // Of another algorithm, as a caller's own digest may be.
        try expectEqual(text(request, HashAlgorithm.sha1.hash("content".utf8)), own)
    }
}
