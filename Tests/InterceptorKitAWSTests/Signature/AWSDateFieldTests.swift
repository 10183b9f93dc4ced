import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("AWSSignatureV4Verifier and Date in place of X-Amz-Date")
struct AWSDateFieldTests {
    // 30 August 2015, 12:36:00 UTC.
    private let now = Date(timeIntervalSince1970: 1_440_938_160)
    private let inField = "Sun, 30 Aug 2015 12:36:00 GMT"
    private let keys = FixedVerificationKeys([
        VerificationKey(
            id: "AKIDEXAMPLE",
            secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8
        )
    ])

    private func request(
        _ dates: [String],
        covering fields: String = "date;host",
        signature: String = "f4bcf773c10070cfec0456f11f2738ea4951e9008b1df16cef7579ed54a9409f"
    ) -> HTTP.Request {
        var request = HTTP.Request.get(
            "https://h.example/",
            headers: [
                "Authorization": "AWS4-HMAC-SHA256 "
                    + "Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                    + "SignedHeaders=\(fields), Signature=\(signature)"
            ]
        )
        for date in dates { request.headers.append(name: "Date", value: date) }
        return request
    }

    private func refusal(
        of request: HTTP.Request,
        after seconds: TimeInterval = 0
    ) async throws -> SignatureVerificationError.Code? {
        let scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        let verifier = AWSSignatureV4Verifier(scheme, keys: keys)
        do {
            _ = try await verifier.verify(request, at: now.addingTimeInterval(seconds))
            return nil
        } catch let error as SignatureVerificationError {
            return error.code
        }
    }

    @Test("accepts the get-vanilla example of AWS's suite of 2011")
    func published() async throws {
        let request = HTTP.Request.get(
            "https://host.foo.com/",
            headers: [
                "Date": "Mon, 09 Sep 2011 23:36:00 GMT",
                "Authorization": "AWS4-HMAC-SHA256 "
                    + "Credential=AKIDEXAMPLE/20110909/us-east-1/host/aws4_request, "
                    + "SignedHeaders=date;host, "
                    + "Signature=b27ccfbfa7df52a200ff74193ca6e32d4b48b8856fab7ebf1c595d0670a7e470",
            ]
        )
        let scheme = AWSSignatureV4(service: "host", region: "us-east-1")

        let verified = try await AWSSignatureV4Verifier(scheme, keys: keys)
            .verify(request, at: Date(timeIntervalSince1970: 1_315_611_360))

        expectEqual(verified.coveredFields, ["date", "host"])
        expectEqual(verified.date, Date(timeIntervalSince1970: 1_315_611_360))
    }

    // The signatures are those of an implementation on Python's hmac.
    @Test("accepts a covered Date in either form, within the tolerance")
    func covered() async throws {
        let basic = request(
            ["20150830T123600Z"],
            signature: "c9dce5e211b30b85c2322e0666ea26752e932e1f22e47be4c3b606dd4a97bb7e"
        )

        for request in [request([inField]), basic] {
            try await expectEqual(refusal(of: request), nil)
            try await expectEqual(refusal(of: request, after: 300), nil)
            try await expectEqual(refusal(of: request, after: 301), .tooOld)
            try await expectEqual(refusal(of: request, after: -301), .notYetValid)
        }
    }

    @Test("refuses a Date that is uncovered, repeated, missing or of another day")
    func refused() async throws {
        let other = "Mon, 31 Aug 2015 12:36:00 GMT"

        try await expectEqual(refusal(of: request([inField], covering: "host")), .uncovered)
        try await expectEqual(refusal(of: request([inField, inField])), .malformed)
        try await expectEqual(refusal(of: request([])), .malformed)
        try await expectEqual(refusal(of: request(["yesterday"])), .malformed)
        try await expectEqual(refusal(of: request([other]), after: 86_400), .component)
        let earlier = request(["Sun, 30 Aug 2015 12:35:59 GMT"])
        try await expectEqual(refusal(of: earlier), .mismatch)
    }

    @Test("uses X-Amz-Date if both are present")
    func both() async throws {
        var request = request([inField])
        request.headers["X-Amz-Date"] = "20150830T123600Z"

        try await expectEqual(refusal(of: request), .uncovered)
        request.headers["X-Amz-Date"] = "20150829T123600Z"
        try await expectEqual(refusal(of: request), .component)
    }
}
