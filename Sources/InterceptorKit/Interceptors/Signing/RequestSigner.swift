/// A scheme and the keys to sign with: what a ``SignInterceptor`` runs.
public struct RequestSigner: Sendable {
    let scheme: any SignatureScheme
    let keys: any SigningKeyStore

    /// Creates a signer.
    /// - Parameters:
    ///   - scheme: How a request is signed.
    ///   - keys: Where keys come from.
    public init(_ scheme: some SignatureScheme, keys: some SigningKeyStore) {
        self.scheme = scheme
        self.keys = keys
    }

    /// Creates a signer with one key.
    /// - Parameters:
    ///   - scheme: How a request is signed.
    ///   - key: The key.
    public init(_ scheme: some SignatureScheme, key: SigningKey) {
        self.init(scheme, keys: FixedSigningKeys([key]))
    }

    /// HMAC-SHA256 over a canonical request, with one key.
    /// - Parameters:
    ///   - keyID: The name the server knows the key by.
    ///   - secret: The secret's bytes; a string's are its UTF-8.
    ///   - location: Where a signature goes. Defaults to the field `X-Signature`.
    public static func hmacSHA256(
        keyID: String,
        secret: some Sequence<UInt8>,
        in location: HMACScheme.Location = .field
    ) -> RequestSigner {
        let key = SigningKey(id: keyID, secret: secret)
        return RequestSigner(HMACScheme(location), keys: FixedSigningKeys([key]))
    }

    /// HMAC-SHA256 over a canonical request, with one key.
    /// - Parameters:
    ///   - keyID: The name the server knows the key by.
    ///   - secret: The secret as text, used as UTF-8.
    ///   - location: Where a signature goes. Defaults to the field `X-Signature`.
    public static func hmacSHA256(
        keyID: String,
        secret: String,
        in location: HMACScheme.Location = .field
    ) -> RequestSigner {
        hmacSHA256(keyID: keyID, secret: Array(secret.utf8), in: location)
    }
}
