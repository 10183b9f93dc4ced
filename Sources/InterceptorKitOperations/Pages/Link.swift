public import InterceptorKit

extension HTTP {
    /// A link of a response's `Link` field (RFC 8288), such as to the next or the last page.
    public struct Link: Sendable, Hashable {
        /// The target, resolved against the URL of the response's request.
        public let target: URL
        /// The relation types, in lower case, such as `next`.
        public let relations: [String]
        /// Whose link it is, resolved likewise; `nil` for the response's own (RFC 8288 section 3.2).
        public let anchor: URL?
        /// The other parameters, such as `title`, with names in lower case, as they stand in the field.
        public let parameters: Parameters

        private init(_ field: LinkField, of base: URL?) {
            func resolved(_ text: String) -> URL {
                let url = URL(received: text)
                return base.map { url.resolved(against: $0) } ?? url
            }
            target = resolved(field.target)
            relations = field.relations
            anchor = field.anchor.map(resolved)
            parameters = field.parameters
        }

        /// The links of a response whose request went to `base`.
        static func all(in headers: Headers, of base: URL?) -> [Link] {
            LinkField.all(in: headers).map { Link($0, of: base) }
        }

        /// Whether it leads from `base` by a relation.
        func isFrom(_ base: URL?, relation: String) -> Bool {
            guard relations.contains(relation) else { return false }
            return anchor.map { $0.normalized == base?.normalized } ?? true
        }
    }
}

extension HTTP.Response {
    /// The links of its `Link` fields, in order, up to the first that is malformed.
    public var links: [HTTP.Link] { HTTP.Link.all(in: headers, of: request?.url) }

    /// Returns its first link of a relation type, such as `next`, `last` or `describedby`.
    ///
    /// A link whose ``HTTP/Link/anchor`` is another resource is not this response's. The number of the last page is a
    /// query parameter of its target, mostly: `response.link("last")?.target.queryParameters`.
    /// - Parameter relation: The relation type, compared in lower case.
    public func link(_ relation: String) -> HTTP.Link? {
        let relation = relation.lowercased()
        return links.first { $0.isFrom(request?.url, relation: relation) }
    }
}
