public import InterceptorKit

extension HTTP {
    /// A link in a response's `Link` field (RFC 8288), for example to the next or the last page.
    public struct Link: Sendable, Hashable {
        /// The target, resolved against the URL of the response's request.
        public let target: URL
        /// The relation types, in lower case, such as `next`.
        public let relations: [String]
        /// The resource that the link belongs to, resolved in the same way; `nil` for the response's own (RFC 8288
        /// section 3.2).
        public let anchor: URL?
        /// The other parameters, such as `title`, unchanged except for lower-case names.
        public let parameters: Parameters

        private init(_ field: LinkField, of base: URL?) {
            func resolved(_ text: String) -> URL {
                let url = URL(received: text, at: base)
                return base.map { url.resolved(against: $0) } ?? url
            }
            target = resolved(field.target)
            relations = field.relations
            anchor = field.anchor.map(resolved)
            parameters = field.parameters
        }

        /// Returns the links of a response whose request went to `base`.
        static func all(in headers: Headers, of base: URL?) -> [Link] {
            LinkField.all(in: headers).map { Link($0, of: base) }
        }

        /// Whether the link belongs to `base` and has a relation.
        func isFrom(_ base: URL?, relation: String) -> Bool {
            guard relations.contains(relation) else { return false }
            return anchor.map { $0.normalized == base?.normalized } ?? true
        }
    }
}

extension HTTP.Response {
    /// The links in the `Link` fields, in order, up to the first malformed one.
    public var links: [HTTP.Link] { HTTP.Link.all(in: headers, of: request?.url) }

    /// Returns the first link of a relation type, such as `next`, `last` or `describedby`.
    ///
    /// A link whose ``HTTP/Link/anchor`` is another resource does not belong to this response. The target of the link
    /// `last` usually has the number of the last page as a query parameter:
    /// `response.link("last")?.target.queryParameters`.
    /// - Parameter relation: The relation type, in any case.
    public func link(_ relation: String) -> HTTP.Link? {
        let relation = relation.lowercased()
        return links.first { $0.isFrom(request?.url, relation: relation) }
    }
}
