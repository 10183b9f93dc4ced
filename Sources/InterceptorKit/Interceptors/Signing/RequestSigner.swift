/// A scheme with its keys, for a ``SignInterceptor``.
public struct RequestSigner: Sendable {
    let scheme: any SignatureScheme
    let keys: any SigningKeyStore

    /// Creates a signer.
    /// - Parameters:
    ///   - scheme: The signature scheme.
    ///   - keys: The store of the keys.
    public init(_ scheme: some SignatureScheme, keys: some SigningKeyStore) {
        self.scheme = scheme
        self.keys = keys
    }

    /// Creates a signer with one key.
    /// - Parameters:
    ///   - scheme: The signature scheme.
    ///   - key: The key.
    public init(_ scheme: some SignatureScheme, key: SigningKey) {
        self.init(scheme, keys: FixedSigningKeys([key]))
    }

    /// Returns a signer with HMAC-SHA256 over a canonical request and one key.
    /// - Parameters:
    ///   - keyID: The id by which the server knows the key.
    ///   - secret: The secret's bytes.
    ///   - location: The place of the signature. Defaults to the field `X-Signature`.
    public static func hmacSHA256(
        keyID: String,
        secret: some Sequence<UInt8>,
        in location: HMACScheme.Location = .field
    ) -> RequestSigner {
        let key = SigningKey(id: keyID, secret: secret)
        return RequestSigner(HMACScheme(location), keys: FixedSigningKeys([key]))
    }

    /// Returns a signer with HMAC-SHA256 over a canonical request and one key.
    /// - Parameters:
    ///   - keyID: The id by which the server knows the key.
    ///   - secret: The secret as text, used as UTF-8.
    ///   - location: The place of the signature. Defaults to the field `X-Signature`.
    public static func hmacSHA256(
        keyID: String,
        secret: String,
        in location: HMACScheme.Location = .field
    ) -> RequestSigner {
        hmacSHA256(keyID: keyID, secret: Array(secret.utf8), in: location)
    }
}
