import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Signature schemes in a SignInterceptor")
struct SchemesInChainTests {
    private static let key = SigningKey(id: "AKIDEXAMPLE", secret: "secret".utf8)

    private func sent(
        _ request: HTTP.Request,
        by scheme: some SignatureScheme,
        replies: [ScriptStep<HTTP.Request>] = [.status(200)]
    ) throws -> [HTTP.Request] {
        let signer = RequestSigner(scheme, keys: FixedSigningKeys([Self.key]))
        return try Simulation.run { simulation in
            let transport = ScriptedTransport(replies: replies)
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: .steady)
                SignInterceptor(signer)
            }
            _ = try await client.send(request)
            return transport.sent.map(\.input)
        }
    }

    @Test("sign each attempt again, and each verifies")
    func retry() throws {
        let scheme = TemplateScheme.oauth1(in: .query)

        let attempts = try sent(
            .get("https://api.example.com/?Action=Do"),
            by: scheme,
            replies: [.status(503), .status(200)]
        )

        expectEqual(attempts.count, 2)
        expectEqual(Set(attempts.map(\.url)).count, 2)
        for attempt in attempts {
            expectTrue(
                scheme.isGenuine(
                    attempt,
                    with: Self.key,
                    date: Simulation.startDate,
                    tolerance: .seconds(3600)
                )
            )
        }
    }

    @Test("cover a stream by its hash, read before it is sent")
    func stream() throws {
        let body = HTTP.Body.replayable(length: 7) {
            AsyncStream<Data> { continuation in
                continuation.yield(Data("con".utf8))
                continuation.yield(Data("tent".utf8))
                continuation.finish()
            }
        }

        let signed = try sent(.put("https://b.example/a", body: body), by: .s3(region: "r"))

        expectEqual(
            signed.first?.headers["X-Amz-Content-Sha256"],
            HashAlgorithm.sha256.hash("content".utf8).hexadecimal
        )
    }

    @Test("refuse a one-shot body, unless it is sent in signed chunks")
    func oneShot() throws {
        func request() -> HTTP.Request {
            .put("https://b.example/a", body: .oneShot(length: 0, AsyncStream { $0.finish() }))
        }

        #expect(throws: (any Error).self) { try sent(request(), by: .s3(region: "r")) }
        let chunked = try sent(request(), by: .s3(region: "r", payload: .chunked(size: 8192)))
        expectEqual(
            chunked.first?.headers["X-Amz-Content-Sha256"],
            "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
        )
        expectEqual(chunked.first?.headers["X-Amz-Decoded-Content-Length"], "0")
    }

    @Test("name the fields they cover")
    func covered() {
        let request = HTTP.Request.get(
            "https://b.example/",
            headers: ["Accept": "*/*", "User-Agent": "a", "X-Acs-Action": "Do", "Content-MD5": "="]
        )

        let aws = AWSSignatureV4(service: "s", region: "r")
        expectEqual(aws.coveredFields(of: request), ["accept", "x-acs-action", "content-md5"])
        expectEqual(TemplateScheme.aliyunACS3.coveredFields(of: request), ["x-acs-action"])
    }

    @Test("are validated when a pipeline is built")
    func validation() {
        #expect(throws: (any Error).self) {
            try sent(.get("https://b.example/"), by: .aws(service: "", region: "r"))
        }
    }
}
