public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Client {
    /// Returns the pages of a collection as values decoded from JSON.
    ///
    /// The first request is sent when reading begins; see ``HTTP/Pages``.
    /// - Parameters:
    ///   - type: The type of a page.
    /// - request: The request for the first page, from which the other requests are made.
    ///   - next: The rule for requesting the next page. Defaults to the `next` link of the `Link` field.
    ///   - decoder: The JSON decoder. Defaults to a plain one.
    ///   - limit: The largest number of pages. Defaults to 10,000; more throw
    ///     ``HTTP/OperationError/Code/tooManyPages``.
    ///   - timeout: The longest time for each request until the head of its response. Defaults to the client's.
    ///   - configure: Changes each call before it starts.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        _ request: HTTP.Request,
        next: HTTP.NextPage<Page> = .link,
        using decoder: JSONDecoder = JSONDecoder(),
        limit: Int = 10_000,
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) -> HTTP.Pages<Page> {
        HTTP.Pages(
            client: self,
            request: request,
            next: next,
            limit: limit,
            timeout: timeout,
            configure: configure,
            read: { response in
                if response.status == 204 { return nil }
                return try await response.decode(Page.self, using: decoder)
            }
        )
    }

    /// Returns the pages of a collection as responses with their bodies.
    ///
    /// See ``pages(of:_:next:using:limit:timeout:configure:)``.
    /// - Parameters:
    /// - request: The request for the first page, from which the other requests are made.
    ///   - next: The rule for requesting the next page, from the head of a response. Defaults to the `next` link of the
    ///     `Link` field.
    ///   - limit: The largest number of pages. Defaults to 10,000.
    ///   - timeout: The longest time for each request until the head of its response. Defaults to the client's.
    ///   - configure: Changes each call before it starts.
    public func pages(
        _ request: HTTP.Request,
        next: HTTP.NextPage<HTTP.Response> = .link,
        limit: Int = 10_000,
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) -> HTTP.Pages<HTTP.Response> {
        HTTP.Pages(
            client: self,
            request: request,
            next: next,
            limit: limit,
            timeout: timeout,
            configure: configure,
            read: { $0 }
        )
    }
}
