public import InterceptorKit

extension SignatureScheme {
    /// Returns this scheme, obeying the demands for a signature within a policy's bounds.
    ///
    /// A response with 401 or 403 and `Accept-Signature` (RFC 9421 section 5) has the request signed and
    /// sent once more as it says, if its body can be sent again.
    /// - Parameter policy: Which servers may ask for another signature, and for which.
    public func fulfilling(_ policy: SignatureDemandPolicy) -> some SignatureScheme {
        DemandFulfillingScheme(base: self, policy: policy)
    }
}

/// A scheme whose requests are signed once more as a server asks for.
private struct DemandFulfillingScheme<Base: SignatureScheme>: SignatureScheme {
    let base: Base
    let policy: SignatureDemandPolicy

    var signatureFields: [String] { base.signatureFields }

    func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        try base.sign(request, context)
    }

    func bodyHash(for request: HTTP.Request) -> HashAlgorithm? { base.bodyHash(for: request) }

    func coveredFields(of request: HTTP.Request) -> [String] { base.coveredFields(of: request) }

    func demands(
        of response: HTTP.Response,
        to request: HTTP.Request
    ) -> [DemandedSignature] {
        guard response.status == 401 || response.status == 403,
            response.headers.contains("Accept-Signature"),
            let origin = request.url.origin, policy.origins.contains(origin)
        else { return [] }
        return policy.permitted(in: response.headers).map { demand in
            DemandedSignature(
                label: demand.label,
                keyID: demand.parameters.keyID,
                scheme: MessageSignatureScheme(fulfilling: demand, lifetime: policy.lifetime)
            )
        }
    }

    func validate() throws {
        for origin in policy.origins { try origin.validate() }
        try base.validate()
    }
}
