public import InterceptorKit

extension HTTP {
    /// The rule for requesting the next page.
    public struct NextPage<Page: Sendable>: Sendable {
        /// The state after a page has been read.
        public struct Context: Sendable {
            /// The page.
            public let page: Page
            /// The page's response; its body has been read.
            public let response: Response
            /// The request for the first page.
            public let firstRequest: Request
            /// The number of pages read, including this one.
            public let pageCount: Int
        }

        let next: @Sendable (Context) throws -> Request?

        /// Creates a custom rule.
        /// - Parameter next: Returns the request for the next page; `nil` after the last one.
        public init(_ next: @escaping @Sendable (_ context: Context) throws -> Request?) {
            self.next = next
        }
    }
}

extension HTTP.NextPage {
    /// Follows the `next` link of the `Link` field (RFC 8288), as in the APIs of GitHub and many other services.
    ///
    /// A page without such a link is the last one; a link whose `anchor` is another page is ignored. The request keeps
    /// the fields of the first request.
    public static var link: Self {
        Self { context in
            var request = context.firstRequest
            let base = context.response.request?.url ?? request.url
            let links = HTTP.Link.all(in: context.response.headers, of: base)
            guard let next = links.first(where: { $0.isFrom(base, relation: "next") }) else {
                return nil
            }
            request.url = next.target
            return request
        }
    }

    /// Writes a cursor from a page into the query of the first request.
    /// - Parameters:
    ///   - parameter: The query parameter's name. Its value in the first request is replaced.
    ///   - cursor: Returns the cursor of the next page; `nil` or empty after the last page. A page without items may
    ///     have a cursor.
    public static func cursor(
        in parameter: String,
        _ cursor: @escaping @Sendable (_ page: Page) -> String?
    ) -> Self {
        self.cursor(cursor) { request, value in
            request.url = request.url.setting(parameter: parameter, to: value)
        }
    }

    /// Writes a cursor from a page into the first request, for example into its body or a field.
    /// - Parameters:
    ///   - cursor: Returns the cursor of the next page; `nil` or empty after the last page.
    ///   - write: Writes the cursor into a copy of the first request.
    public static func cursor(
        _ cursor: @escaping @Sendable (_ page: Page) -> String?,
        writing write:
            @escaping @Sendable (_ request: inout HTTP.Request, _ cursor: String) throws
            -> Void
    ) -> Self {
        Self { context in
            guard let value = cursor(context.page), !value.isEmpty else { return nil }
            var request = context.firstRequest
            try write(&request, value)
            return request
        }
    }

    /// Counts pages by a query parameter of the first request.
    /// - Parameters:
    ///   - parameter: The query parameter's name.
    ///   - first: The number of the first page. Defaults to 1.
    ///   - isLast: Whether a page is the last one, for example because it has no items.
    public static func number(
        in parameter: String,
        from first: Int = 1,
        isLast: @escaping @Sendable (_ page: Page) -> Bool
    ) -> Self {
        Self { context in
            if isLast(context.page) { return nil }
            var request = context.firstRequest
            let number = first.saturatingAdding(context.pageCount)
            request.url = request.url.setting(parameter: parameter, to: "\(number)")
            return request
        }
    }
}
