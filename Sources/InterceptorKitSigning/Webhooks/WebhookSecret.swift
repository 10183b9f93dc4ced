public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SigningKey {
    /// Creates a Standard Webhooks key for a sender from a secret in the form that receivers see.
    /// - Parameters:
    ///   - id: Your name for the key, which is not sent.
    ///   - secret: `whsec_` and base64, or base64 alone, of 24 to 64 bytes (section "Signature scheme").
    /// - Throws: `SigningError` if the secret has another form or length. The error reveals nothing of the secret.
    public init(id: String, webhookSecret secret: String) throws(SigningError) {
        self.init(id: id, secret: try webhookSecretBytes(secret, id))
    }
}

extension VerificationKey {
    /// Creates a Standard Webhooks key for a receiver from the secret that the sender shows.
    /// - Parameters:
    ///   - id: Your name for the key, such as the sender's; it is not sent.
    ///   - secret: `whsec_` and base64, or base64 alone, of 24 to 64 bytes (section "Signature scheme").
    /// - Throws: `SigningError` if the secret has another form or length. The error reveals nothing of the secret. For
    ///   a sender with shorter secrets, use ``init(id:secret:)``.
    public init(id: String, webhookSecret secret: String) throws(SigningError) {
        self.init(id: id, secret: try webhookSecretBytes(secret, id))
    }
}

private func webhookSecretBytes(_ text: String, _ id: String) throws(SigningError) -> Data {
    let prefix = "whsec_"
    var base64 = text.rest(after: prefix).map(String.init) ?? text
    // Padding may be missing.
    while base64.utf8.count % 4 != 0 { base64 += "=" }
    guard let bytes = Data(base64Encoded: base64), 24...64 ~= bytes.count else {
        throw SigningError(
            .unsuitableKey,
            "The webhook secret of the key \(HTTP.printable(id)) is not base64 of 24 to 64 bytes, with whsec_ "
                + "before it or without. Take it as its sender shows it."
        )
    }
    return bytes
}
