/// A signature that a server asks for in its response, for a ``SignatureScheme``.
public struct RequestedSignature: Sendable {
    /// The server's label for the signature; reported in ``Event/Name/signatureRequested``.
    public var label: String
    /// The id of the requested key; `nil` leaves the choice to the call and the key store.
    public var keyID: String?
    /// The scheme for the signature.
    public var scheme: any SignatureScheme

    /// Creates a signature request.
    /// - Parameters:
    ///   - label: The server's label for the signature.
    ///   - keyID: The id of the requested key. Defaults to the choice of the call and the key store.
    ///   - scheme: The scheme for the signature.
    public init(label: String, keyID: String? = nil, scheme: any SignatureScheme) {
        self.label = label
        self.keyID = keyID
        self.scheme = scheme
    }
}
