import Expectations
import InterceptorKitSigning
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAWS

@Suite("DerivedKeys")
struct DerivedKeysTests: SigV4SigningSuite {
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

        expectEqual(signatures.count, 22)
        expectEqual(signature(of: try scheme.sign(request, context(key))), signature(of: first))
    }

    // AWS General Reference, "Examples of how to derive a signing key for Signature Version 4".
    @Test("derive the key of AWS's documentation")
    func published() {
        let time = SigningTimestamp(seconds: 1_440_938_160)
        let scope = DerivedKeys.Scope(
            day: time.dayNumber,
            prefix: "AWS4",
            region: "us-east-1",
            service: "iam",
            terminator: "aws4_request"
        )
        let secret = Array("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8)

        expectEqual(
            DerivedKeys.derive(scope, time, secret: secret).hexadecimal,
            "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9"
        )
    }
}
