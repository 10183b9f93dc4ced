public import InterceptorKit

/// Which signature requests for a signature are obeyed (`Accept-Signature`, RFC 9421 section 5).
///
/// A signature says that its maker means what it covers. Anyone who may choose that freely can have
/// anything signed, so a signature request counts only within these bounds.
public struct SignatureRequestPolicy: Sendable, Hashable {
    /// The servers whose signature requests are obeyed.
    public var origins: [HTTP.Origin]
    /// What may be covered; a signature request for anything else is not obeyed.
    public var components: Set<MessageComponent>
    /// The uses a signature request may name (`tag`); one that names none is always within the bounds.
    public var tags: Set<String>
    /// How long a signature is valid that is to end.
    public var lifetime: Duration

    /// Creates a policy.
    /// - Parameters:
    ///   - origins: The servers whose signature requests are obeyed.
    ///   - components: What may be covered. Defaults to ``usualComponents``.
    ///   - tags: The uses a signature request may name. Defaults to none.
    ///   - lifetime: How long a signature is valid that is to end. Defaults to 300 s.
    public init(
        origins: [HTTP.Origin],
        permitting components: Set<MessageComponent> = usualComponents,
        tags: Set<String> = [],
        lifetime: Duration = .seconds(300)
    ) {
        self.origins = origins
        self.components = components
        self.tags = tags
        self.lifetime = lifetime
    }

    /// What the standard coverages have, of requests and of responses, and other names of the target:
    /// all that a server of the request knows anyhow.
    public static let usualComponents = Set(
        SignatureCoverage.standard.components + SignatureCoverage.standard.componentsIfPresent
            + SignatureCoverage.standardResponse.components
            + [.targetURI, .scheme, .requestTarget, "content-length", "date", "host"]
    )

    /// Whether a signature request is within the bounds.
    public func permits(_ signatureRequest: SignatureRequest) -> Bool {
        signatureRequest.parameters.components.allSatisfy(components.contains)
            && signatureRequest.parameters.tag.map(tags.contains) ?? true
    }

    /// The signature requests of a message that are within the bounds, in order; none if the field is malformed.
    public func permitted(in headers: HTTP.Headers) -> [SignatureRequest] {
        let signatureRequests = (try? SignatureRequest.parse(headers)) ?? []
        return signatureRequests.prefix(Self.limit).filter(permits)
    }

    // As many signatures as a verifier looks at.
    private static let limit = MessageSignatureVerifier.limit
}

extension HTTP.Response {
    /// The same response, signed as its request asks for, for servers: with the first signature request that is
    /// within a policy's bounds and that the key fulfils.
    /// - Parameters:
    ///   - request: What is answered; its `Accept-Signature` counts.
    ///   - policy: The bounds; its origins mean nothing here.
    ///   - context: The key, the time and the nonce.
    /// - Returns: The response as it is if nothing is asked for that can be fulfilled.
    /// - Throws: What the signer throws.
    public func signed(
        asDemandedBy request: HTTP.Request,
        under policy: SignatureRequestPolicy,
        _ context: SigningContext
    ) throws -> HTTP.Response {
        for signatureRequest in policy.permitted(in: request.headers) {
            do {
                let parameters = try signatureRequest.parameters(
                    fulfilledWith: context,
                    lifetime: policy.lifetime
                )
                return try signed(
                    parameters,
                    label: signatureRequest.label,
                    with: context.key,
                    answering: request
                )
            } catch is SigningError {
                continue
            }
        }
        return self
    }
}
