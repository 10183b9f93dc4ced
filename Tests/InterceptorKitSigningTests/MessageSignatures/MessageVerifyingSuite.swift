import Expectations
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A suite that verifies signed messages.
protocol MessageVerifyingSuite {}

extension MessageVerifyingSuite {
    var date: Date { Date(timeIntervalSince1970: 1_767_225_600) }
    var key: SigningKey { SigningKey(id: "app-1", secret: "s3cret".utf8) }
    var keys: FixedVerificationKeys {
        FixedVerificationKeys([
            VerificationKey(id: "app-1", secret: "s3cret".utf8),
            VerificationKey(id: "empty", secret: []),
        ])
    }

    func signed(
        _ request: HTTP.Request = .get(orders),
        _ scheme: MessageSignatureScheme = MessageSignatureScheme(),
        nonce: String = "n1"
    ) throws -> HTTP.Request {
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: date, nonce: nonce),
            bodyHash: scheme.bodyHash(for: request).map { $0.hash(request.body.inMemory ?? Data()) }
        )
        return try scheme.sign(request, context)
    }

    /// Why a request is refused; `nil` if it is accepted.
    func refusal(
        of request: HTTP.Request,
        by verifier: MessageSignatureVerifier? = nil,
        after seconds: Double = 0
    ) async throws -> SignatureVerificationError.Code? {
        let verifier = verifier ?? MessageSignatureVerifier(keys: keys)
        let message = SignableMessage.request(request)
        let now = date.addingTimeInterval(seconds)
        do {
            _ = try await verifier.verify(message, at: now)
            return nil
        } catch let error as SignatureVerificationError {
            expectTrue(!error.message.contains("s3cret"))
            return error.code
        }
    }
}
