import InterceptorKit
public import InterceptorKitSigning

extension RequestVerification {
    /// Returns a verification for AWS Signature Version 4 and 4A. Content in signed chunks is verified while it is
    /// read.
    public static func aws(_ verifier: AWSSignatureV4Verifier) -> Self {
        RequestVerification(
            challenge: verifier.scheme.algorithm == .hmacSHA256
                ? "AWS4-HMAC-SHA256" : "AWS4-ECDSA-P256-SHA256",
            readsContent: verifier.rules.checksContent,
            validate: { try verifier.rules.validate() }
        ) { request, date in
            let signature = try await verifier.verify(request, at: date)
            return Verified(keyID: signature.keyID, content: signature.content)
        }
    }
}
