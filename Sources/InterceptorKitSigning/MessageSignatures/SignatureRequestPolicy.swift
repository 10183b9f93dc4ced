public import InterceptorKit

/// The limits within which signature requests are fulfilled (`Accept-Signature`, RFC 9421 section 5).
///
/// A signature vouches for whatever it covers. A peer that could choose freely could have anything signed, so signature
/// requests are fulfilled only within these limits.
public struct SignatureRequestPolicy: Sendable, Hashable {
    /// The servers whose signature requests are fulfilled.
    public var origins: [HTTP.Origin]
    /// The components that may be covered; a signature request for any other is not fulfilled.
    public var components: Set<MessageComponent>
    /// The tags that a signature request may name; one without a tag is always allowed.
    public var tags: Set<String>
    /// The lifetime of a signature that must expire.
    public var lifetime: Duration

    /// Creates a policy.
    /// - Parameters:
    ///   - origins: The servers whose signature requests are fulfilled.
    ///   - components: The components that may be covered. Defaults to ``usualComponents``.
    ///   - tags: The tags that a signature request may name. Defaults to none.
    ///   - lifetime: The lifetime of a signature that must expire. Defaults to 300 s.
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

    /// The components of the standard coverages for requests and responses, and other components of the target:
    /// everything that the server of the request knows anyway.
    public static let usualComponents = Set(
        SignatureCoverage.standard.components + SignatureCoverage.standard.componentsIfPresent
            + SignatureCoverage.standardResponse.components
            + [.targetURI, .scheme, .requestTarget, "content-length", "date", "host"]
    )

    /// Returns whether a signature request is within the limits.
    public func permits(_ signatureRequest: SignatureRequest) -> Bool {
        signatureRequest.parameters.components.allSatisfy(components.contains)
            && signatureRequest.parameters.tag.map(tags.contains) ?? true
    }

    /// Returns the signature requests of a message within the limits, in order; empty if the field is malformed.
    public func permitted(in headers: HTTP.Headers) -> [SignatureRequest] {
        let signatureRequests = (try? SignatureRequest.parse(headers)) ?? []
        return signatureRequests.prefix(Self.limit).filter(permits)
    }

    private static let limit = MessageSignatureVerifier.limit
}

extension HTTP.Response {
    /// Returns the response, signed as its request asks for, for servers. The first signature request counts that is
    /// within a policy's limits and that the key can fulfil.
    /// - Parameters:
    ///   - request: The request, for its `Accept-Signature`.
    ///   - policy: The limits. Its origins are ignored here.
    ///   - context: The key, the time and the nonce.
    /// - Returns: The signed response, or the unchanged response if no signature request can be fulfilled.
    /// - Throws: The signer's errors.
    public func signed(
        asRequestedBy request: HTTP.Request,
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
