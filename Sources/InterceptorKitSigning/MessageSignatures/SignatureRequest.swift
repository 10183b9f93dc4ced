public import InterceptorKit

/// One signature that a peer asks for with `Accept-Signature` (RFC 9421 section 5.1).
///
/// A server asks so for signed requests, in a response; a client for a signed response, in a request.
public struct SignatureRequest: Sendable, Hashable {
    /// The label the signature has to have.
    public let label: String
    /// What is to be covered and said. `created` and `expires` are flags here.
    public let parameters: SignatureParameters

    /// Creates a signature request.
    /// - Parameters:
    ///   - label: The label the signature has to have.
    ///   - parameters: What is to be covered and said; `created` and `expires` are flags.
    public init(label: String, _ parameters: SignatureParameters) {
        self.label = label
        self.parameters = parameters
    }

    /// Reads `Accept-Signature`.
    /// - Parameter headers: The fields of the message that may have it.
    /// - Returns: What is asked for, in order; empty without the field.
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

    /// The value of `Accept-Signature`.
    /// - Throws: `SigningError` if there is something that cannot be written.
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

    /// The parameters of a signature that fulfils it.
    /// - Parameters:
    ///   - context: The key, the time and the nonce if none is asked for.
    ///   - lifetime: How long the signature is valid if it is to end. Defaults to 300 s.
    /// - Throws: `SigningError` if another key or algorithm is asked for.
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
