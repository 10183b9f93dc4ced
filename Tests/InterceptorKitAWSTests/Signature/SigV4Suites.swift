import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning

/// A suite that signs by AWS's scheme.
protocol SigV4SigningSuite {}

extension SigV4SigningSuite {
    var key: SigningKey {
        SigningKey(id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8)
    }

    func context(_ key: SigningKey, _ date: TimeInterval = 1_440_938_160) -> SigningContext {
        SigningContext(
            key: key,
            freshness: SignatureFreshness(date: Date(timeIntervalSince1970: date), nonce: "")
        )
    }
}

/// A suite that verifies such signatures.
protocol SigV4VerifyingSuite {}

extension SigV4VerifyingSuite {
    static var secret: String { "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" }
    var now: Date { Date(timeIntervalSince1970: 1_440_938_160) }
    var scheme: AWSSignatureV4 { AWSSignatureV4(service: "service", region: "us-east-1") }

    func keys(token: String? = nil) -> FixedVerificationKeys {
        var key = VerificationKey(id: "AKIDEXAMPLE", secret: Self.secret.utf8)
        key.token = token
        return FixedVerificationKeys([key, VerificationKey(id: "EMPTY", secret: "".utf8)])
    }

    func context(_ id: String = "AKIDEXAMPLE", token: String? = nil) -> SigningContext {
        var key = SigningKey(id: id, secret: Self.secret.utf8)
        key.token = token
        return SigningContext(key: key, freshness: SignatureFreshness(date: now, nonce: ""))
    }

    func signed(
        _ scheme: AWSSignatureV4? = nil,
        _ request: HTTP.Request = .post("https://h.example/a?b=c", body: "content"),
        token: String? = nil
    ) throws -> HTTP.Request {
        try (scheme ?? self.scheme).sign(request, context(token: token))
    }

    func refusal(
        of request: HTTP.Request,
        by scheme: AWSSignatureV4? = nil,
        after seconds: TimeInterval = 0,
        token: String? = nil
    ) async throws -> SignatureVerificationError.Code? {
        let verifier = AWSSignatureV4Verifier(scheme ?? self.scheme, keys: keys(token: token))
        do {
            _ = try await verifier.verify(request, at: now.addingTimeInterval(seconds))
            return nil
        } catch let error as SignatureVerificationError {
            return error.code
        }
    }
}
