public import InterceptorKit

/// A signature that a peer requests with `Accept-Signature` (RFC 9421 section 5.1).
///
/// A server requests signed requests in its response; a client requests a signed response in its request.
public struct SignatureRequest: Sendable, Hashable {
    /// The required label of the signature.
    public let label: String
    /// The components to cover and the parameters to add. `created` and `expires` are flags here.
    public let parameters: SignatureParameters

    /// Creates a signature request.
    /// - Parameters:
    ///   - label: The required label of the signature.
    ///   - parameters: The components to cover and the parameters to add; `created` and `expires` are flags.
    public init(label: String, _ parameters: SignatureParameters) {
        self.label = label
        self.parameters = parameters
    }

    /// Parses `Accept-Signature`.
    /// - Parameter headers: The fields of the message.
    /// - Returns: The signature requests, in order; empty without the field.
    /// - Throws: `SigningError` if the field is malformed.
    public static func parse(_ headers: HTTP.Headers) throws(SigningError) -> [SignatureRequest] {
        let dictionary: HTTP.StructuredField.Dictionary
        do {
            dictionary = try headers.structuredDictionary("Accept-Signature") ?? [:]
        } catch {
            throw .malformedParameters(error.message)
        }
        var signatureRequests: [SignatureRequest] = []
        for (label, member) in dictionary {
            let signatureRequest = SignatureRequest(label: label, try SignatureParameters(member))
            try signatureRequest.validate()
            signatureRequests.append(signatureRequest)
        }
        return signatureRequests
    }

    /// Returns the value of `Accept-Signature`.
    /// - Throws: `SigningError` if a part cannot be written.
    public static func serialized(_ signatureRequests: [SignatureRequest]) throws(SigningError)
        -> String
    {
        do {
            return try HTTP.StructuredField.Dictionary(
                signatureRequests.map { ($0.label, .innerList($0.parameters.innerList)) }
            )
            .serialized()
        } catch {
            throw .malformedParameters(error.message)
        }
    }

    /// Returns the parameters of a signature that fulfils the request.
    /// - Parameters:
    ///   - context: The key and the time, and the nonce to use if none is requested.
    ///   - lifetime: The lifetime of a signature that must expire. Defaults to 300 s.
    /// - Throws: `SigningError` if the peer requests another key or algorithm.
    public func parameters(
        fulfilledWith context: SigningContext,
        lifetime: Duration? = .seconds(300)
    ) throws(SigningError) -> SignatureParameters {
        let key = context.key
        guard parameters.keyID == nil || parameters.keyID == key.id else {
            throw unfulfillable("the key \(HTTP.printable(parameters.keyID ?? ""))", key)
        }
        guard parameters.algorithm == nil || parameters.algorithm == key.messageAlgorithm else {
            throw unfulfillable("\(HTTP.printable(parameters.algorithm?.name ?? ""))", key)
        }
        var fulfilled = SignatureParameters(parameters.components)
        fulfilled.created = context.timestamp
        if parameters.values["expires"] == .boolean(true) {
            fulfilled.expires = context.expiry(after: lifetime ?? .seconds(300))
        }
        fulfilled.nonce = parameters.nonce ?? context.nonce
        fulfilled.algorithm = key.messageAlgorithm
        fulfilled.keyID = key.id
        fulfilled.tag = parameters.tag
        return fulfilled
    }

    private func validate() throws(SigningError) {
        for (key, value) in parameters.values {
            let isRight =
                switch key {
                case "created", "expires": value.boolean != nil
                case "nonce", "alg", "keyid", "tag": value.string != nil
                default: true
                }
            guard isRight else { throw .malformedParameters("The type of \(key) is wrong.") }
        }
    }

    private func unfulfillable(_ signatureRequest: String, _ key: SigningKey) -> SigningError {
        SigningError(
            .unfulfillable,
            "A signature by \(signatureRequest) is asked for; the key at hand is \(HTTP.printable(key.id)), "
                + "which signs with \(HTTP.printable(key.messageAlgorithm.name))."
        )
    }
}
