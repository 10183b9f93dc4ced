/// A signature that a server asks for in its response, as a ``SignatureScheme`` understands it.
public struct RequestedSignature: Sendable {
    /// What the server calls the signature; reported in ``Event/Name/signatureRequested``.
    public var label: String
    /// The id of the key it is to be made with; `nil` leaves it to the call and the key store.
    public var keyID: String?
    /// How it is made.
    public var scheme: any SignatureScheme

    /// Creates a signature request.
    /// - Parameters:
    ///   - label: What the server calls the signature.
    ///   - keyID: The id of the key it is to be made with. Defaults to the call's and the key store's
    ///     choice.
    ///   - scheme: How it is made.
    public init(label: String, keyID: String? = nil, scheme: any SignatureScheme) {
        self.label = label
        self.keyID = keyID
        self.scheme = scheme
    }
}
