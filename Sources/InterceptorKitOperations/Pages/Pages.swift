public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP {
    /// The pages of a collection, each requested when it is read.
    ///
    /// ```swift
    /// let orders = api.pages(
    ///     of: OrderPage.self,
    ///     .get("/orders"),
    ///     next: .cursor(in: "cursor") { $0.next }
    /// )
    /// for try await page in orders {
    ///     print(page.items)
    /// }
    /// ```
    ///
    /// Each page is a call of the client through its whole chain. The sequence ends when the rule returns no next page,
    /// or with a 204, which has no page; a page without items does not end it. It throws if the pages form a circle, so
    /// that a request with the same URL, fields and in-memory body would be sent again, or if they lead to another
    /// origin than the first request's. A redirect's target counts as another origin.
    public struct Pages<Page: Sendable>: AsyncSequence, Sendable {
        public typealias Element = Page

        let client: Client
        let request: Request
        let next: NextPage<Page>
        let limit: Int
        let timeout: Duration?
        let configure: @Sendable (inout Call) throws -> Void
        /// Returns the page in a response; `nil` if there is none.
        let read: @Sendable (Response) async throws -> Page?

        /// Reads the pages, in order.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private enum State {
                case first
                case read(NextPage<Page>.Context)
                case ended
            }

            /// The identity of a page's request; a body that is not in memory is not part of it.
            private struct Place: Hashable {
                let url: URL
                let headers: Headers
                let content: [UInt8]

                init(_ request: Request, at url: URL? = nil) {
                    self.url = url ?? request.url
                    headers = request.headers
                    content = Array(HashAlgorithm.sha256.hash(request.body.inMemory ?? Data()))
                }
            }

            private let pages: Pages
            private var state = State.first
            private var origin: Origin?
            private var asked: Set<Place> = []

            init(_ pages: Pages) { self.pages = pages }

            /// The next page, or `nil` after the last one.
            /// - Throws: ``OperationError``; an error of the chain, the transport or of decoding.
            public mutating func next() async throws -> Page? {
                let before = state
                state = .ended
                let request: Request
                var count = 0
                switch before {
                case .ended: return nil
                case .first: request = pages.request
                case .read(let context):
                    guard let next = try pages.next.next(context) else { return nil }
                    request = next
                    count = context.pageCount
                }
                try check(request, after: count)
                asked.insert(Place(request))
                return try await ask(request, after: count)
            }

            private mutating func ask(_ request: Request, after count: Int) async throws -> Page? {
                let response = try await pages.client.send(
                    request,
                    timeout: pages.timeout,
                    configure: pages.configure
                )
                guard response.status.isSuccess else {
                    throw OperationError(
                        .refused,
                        "Page \(count + 1) was answered with \(response.status).",
                        response: response
                    )
                }
                let sent = response.request?.url ?? request.url
                // The origin before any redirect is the one that got the request's own fields.
                if origin == nil { origin = (response.redirects.first?.source ?? sent).origin }
                // Links contain complete URLs, but the URL of the first request may be relative.
                asked.insert(Place(request, at: sent))
                var head = response
                head.body = .empty
                guard let page = try await pages.read(response) else { return nil }
                state = .read(
                    NextPage<Page>.Context(
                        page: page,
                        response: head,
                        firstRequest: pages.request,
                        pageCount: count + 1
                    )
                )
                return page
            }

            private func check(_ request: Request, after count: Int) throws(OperationError) {
                if let next = request.url.origin, let origin, next != origin {
                    throw OperationError(
                        .otherOrigin,
                        "The next page is at \(next), and the first one was asked for at \(origin). Its request would "
                            + "take the fields of the first one there. If that is right, ask for it yourself."
                    )
                }
                // A body that is not in memory may contain a cursor, which cannot be compared.
                if request.body.inMemory != nil, asked.contains(Place(request)) {
                    throw OperationError(
                        .repeatedPage,
                        "The page after page \(count) is one that was read before: the server leads in a circle."
                    )
                }
                guard count < pages.limit else {
                    throw OperationError(
                        .tooManyPages,
                        "There are more than \(pages.limit) pages. Raise the limit if that is to be expected."
                    )
                }
            }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

        /// Returns the items of all pages as one sequence.
        /// - Parameter items: Returns the items of a page.
        public func items<Items: Sequence & SendableMetatype>(
            _ items: @escaping @Sendable (_ page: Page) -> Items
        ) -> some AsyncSequence<Items.Element, any Error> {
            flatMap { PageItems(items: items($0)) }
        }
    }
}

/// The items of one page.
private struct PageItems<Items: Sequence>: AsyncSequence {
    typealias Element = Items.Element

    let items: Items

    struct AsyncIterator: AsyncIteratorProtocol {
        var items: Items.Iterator

        mutating func next() async -> Items.Element? { items.next() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(items: items.makeIterator()) }
}
