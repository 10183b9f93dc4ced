import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import Testing

@Suite("AWSRules")
struct AWSRulesTests: SigV4VerifyingSuite {
    @Test("refuses a body that isn't the covered one, or isn't covered")
    func content() async throws {
        let s3 = AWSSignatureV4.s3(region: "us-east-1")
        var request = try signed()
        request.body = "Content"
        try await expectEqual(refusal(of: request), .mismatch)

        request = try signed(s3)
        try await expectEqual(refusal(of: request, by: s3), nil)
        request.body = "Content"
        try await expectEqual(refusal(of: request, by: s3), .content)

        request = try signed(.s3(region: "us-east-1", payload: .unsigned))
        try await expectEqual(refusal(of: request, by: s3), .content)
        try await expectEqual(
            refusal(of: request, by: .s3(region: "us-east-1", payload: .unsigned)),
            nil
        )

        request = try signed(s3)
        request.body = .oneShot(AsyncStream<Data> { $0.finish() })
        try await expectEqual(refusal(of: request, by: s3), .content)
        let trusting = AWSSignatureV4Verifier(s3, keys: keys(), checksContent: false)
        try await expectTrue(trusting.isGenuine(request, at: now))
    }

    @Test("refuses a body whose coverage is stated twice or wrongly")
    func statedHashes() async throws {
        let chunked = AWSSignatureV4.s3(region: "us-east-1", payload: .chunked(size: 8192))
        var twice = try signed(.s3(region: "us-east-1"))
        twice.headers.append(name: "X-Amz-Content-Sha256", value: String(repeating: "0", count: 64))
        let url = try AWSSignatureV4.s3(region: "us-east-1").presignedURL(
            for: .put("https://h.example/a"),
            context(),
            validFor: .seconds(60)
        )
        let presigned = HTTP.Request.put(
            url,
            headers: ["X-Amz-Content-Sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"]
        )

        try await expectEqual(refusal(of: twice, by: .s3(region: "us-east-1")), .malformed)
        try await expectEqual(refusal(of: presigned, by: chunked), .content)
    }

    @Test("refuses significant fields uncovered, and covered ones missing")
    func fields() async throws {
        let request = try signed()

        for name in ["X-Amz-Acl", "Content-Type", "x-amz-meta-Note"] {
            var changed = request
            changed.headers[name] = "added"
            try await expectEqual(refusal(of: changed), .uncovered, "\(name)")
        }
        for list in ["x-amz-date", "x-amz-date;host", "host;host;x-amz-date", "host;x;x-amz-date"] {
            var changed = request
            changed.headers["Authorization"] = request.headers["Authorization"]?
                .replacing("host;x-amz-date", with: list)
            try await expectEqual(refusal(of: changed), .component, "\(list)")
        }
        var removed = request
        removed.headers["X-Amz-Date"] = nil
        try await expectEqual(refusal(of: removed), .malformed)
    }
}
