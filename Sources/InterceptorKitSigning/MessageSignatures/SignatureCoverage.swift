import InterceptorKit

/// The components of a message that a signature covers, or must cover.
public struct SignatureCoverage: Sendable, Hashable {
    /// The components that every message must have.
    public var components: [MessageComponent]
    /// The components that are covered if a message has them. `Content-Digest` counts as present if there is content.
    public var componentsIfPresent: [MessageComponent]

    /// Creates a coverage.
    /// - Parameters:
    ///   - components: The components that every message must have.
    ///   - componentsIfPresent: The components that are covered if a message has them. Defaults to none.
    public init(
        _ components: [MessageComponent],
        ifPresent componentsIfPresent: [MessageComponent] = []
    ) {
        self.components = components
        self.componentsIfPresent = componentsIfPresent
    }

    /// The coverage for requests: method, authority, path and query; `Content-Digest`, `Content-Type` and
    /// `Authorization` if present.
    public static let standard = SignatureCoverage(
        [.method, .authority, .path, .query],
        ifPresent: ["content-digest", "content-type", "authorization"]
    )

    /// The coverage for responses: the status; `Content-Digest` and `Content-Type` if present; and the method,
    /// authority, path and query of the request.
    public static let standardResponse = SignatureCoverage(
        [
            .status, .method.ofRequest, .authority.ofRequest, .path.ofRequest, .query.ofRequest,
        ],
        ifPresent: ["content-digest", "content-type"]
    )

    /// - Parameter countsContent: Whether `Content-Digest` counts as present for any content. Defaults to `true`.
    func components(
        for message: SignableMessage,
        countsContent: Bool = true
    ) -> [MessageComponent] {
        var found = components
        found.reserveCapacity(components.count + componentsIfPresent.count)
        for component in componentsIfPresent {
            let isPresent =
                message.has(component)
                || countsContent && component.isContentDigest && !message.body.isEmpty
            if isPresent { found.append(component) }
        }
        return found
    }

    func validate() throws(SigningError) {
        var seen: Set<MessageComponent> = []
        for component in components + componentsIfPresent {
            try component.validate()
            guard seen.insert(component).inserted else {
                throw .invalidComponent(component.description, "It is listed twice.")
            }
        }
    }
}

extension MessageComponent {
    var isContentDigest: Bool { name == "content-digest" && !has("req") && !has("tr") }
}
