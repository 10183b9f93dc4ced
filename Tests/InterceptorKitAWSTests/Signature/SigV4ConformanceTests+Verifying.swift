import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import TestRun
import TestSupport
import Testing

extension SigV4ConformanceTests {
    @Test(
        "verifies the suite's signed requests, and none with another method",
        .tags(.vectors),
        .vectors("sigv4/aws-c-auth-v4.json")
    )
    func verifying() async throws {
        struct Row: Decodable {
            struct Signed: Decodable {
                var signed_request_base64: String
            }
            var name: String
            var context: Context
            var header: Signed
            var query: Signed
        }
        struct File: Decodable { var cases: [Row] }
        var conformance = Conformance("sigv4-verify")
        let file = try JSONDecoder().decode(
            File.self,
            from: Vectors.data("sigv4/aws-c-auth-v4.json")
        )

        for row in file.cases {
            let credentials = row.context.credentials
            var key = VerificationKey(
                id: credentials.access_key_id,
                secret: credentials.secret_access_key.utf8
            )
            key.token = credentials.token
            let verifier = AWSSignatureV4Verifier(
                row.context.scheme(.field),
                keys: FixedVerificationKeys([key])
            )
            let date = try signingDate(row.context.timestamp)
            for (place, signed) in [("header", row.header), ("query", row.query)] {
                let data = Data(base64Encoded: signed.signed_request_base64) ?? Data()
                let request = try SigV4Request(data).request
                var other = request
                other.method = .patch
                let isTaken = try await verifier.isGenuine(request, at: date)
                let isOtherTaken = try await verifier.isGenuine(other, at: date)
                conformance.note(isTaken && !isOtherTaken, "\(row.name) \(place)")
            }
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 76)
    }
}
