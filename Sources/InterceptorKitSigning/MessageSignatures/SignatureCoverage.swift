import InterceptorKit

/// Which components of a message a signature covers, or has to.
public struct SignatureCoverage: Sendable, Hashable {
    /// Those that every message has to have.
    public var components: [MessageComponent]
    /// Those covered where a message has them. `Content-Digest` counts as there for any content.
    public var componentsIfPresent: [MessageComponent]

    /// Creates a coverage.
    /// - Parameters:
    ///   - components: Those that every message has to have.
    ///   - componentsIfPresent: Those covered where a message has them. Defaults to none.
    public init(
        _ components: [MessageComponent],
        ifPresent componentsIfPresent: [MessageComponent] = []
    ) {
        self.components = components
        self.componentsIfPresent = componentsIfPresent
    }

    /// For requests: method, authority, path and query; `Content-Digest`, `Content-Type` and
    /// `Authorization` where there are.
    public static let standard = SignatureCoverage(
        [.method, .authority, .path, .query],
        ifPresent: ["content-digest", "content-type", "authorization"]
    )

    /// For responses: the status, `Content-Digest` and `Content-Type` where there are, and the method,
    /// authority, path and query of the request that is answered.
    public static let standardResponse = SignatureCoverage(
        [
            .status, .method.ofRequest, .authority.ofRequest, .path.ofRequest, .query.ofRequest,
        ],
        ifPresent: ["content-digest", "content-type"]
    )

    /// - Parameter countsContent: Whether content without a digest calls for one. Defaults to `true`.
    func components(
        for message: SignableMessage,
        countsContent: Bool = true
    ) -> [MessageComponent] {
        var found = components
        found.reserveCapacity(components.count + componentsIfPresent.count)
        for component in componentsIfPresent {
            let isThere =
                message.has(component)
                || countsContent && component.isContentDigest && !message.body.isEmpty
            if isThere { found.append(component) }
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
