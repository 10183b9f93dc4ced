public import InterceptorKit

/// A key that tokens are bound to. The private key signs proofs, which contain the public key. The description and
/// mirror never show the private key.
public struct DPoPKey: Sendable {
    let signer: any MessageSigner
    /// The public key.
    public let publicKey: JSONWebKey

    /// Creates a key.
    /// - Parameters:
    ///   - signer: The private key.
    ///   - publicKey: The public key.
    public init(signer: some MessageSigner, publicKey: JSONWebKey) {
        self.signer = signer
        self.publicKey = publicKey
    }

    /// The key's thumbprint, by which servers identify it (`jkt`, RFC 9449 section 6.1).
    public var thumbprint: String { publicKey.thumbprint }

    /// The algorithm's name in JSON Web Signatures.
    var algorithmName: String {
        get throws(SigningError) {
            guard let name = signer.algorithm.jsonName else {
                throw SigningError(
                    .unsuitableKey,
                    "A DPoP proof cannot be signed by \(signer.algorithm): it takes a private key "
                        + "whose public half the server sees (RFC 9449 section 4.2)."
                )
            }
            return name
        }
    }
}

extension DPoPKey: CustomStringConvertible {
    /// The thumbprint.
    public var description: String { "DPoPKey(\(thumbprint))" }
}

extension DPoPKey: CustomReflectable {
    /// The thumbprint only, so that `dump` and debuggers do not show the private key.
    public var customMirror: Mirror { Mirror(self, children: ["thumbprint": thumbprint]) }
}
