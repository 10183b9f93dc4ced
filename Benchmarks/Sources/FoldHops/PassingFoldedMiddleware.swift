public import HTTPTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Passes a request on.
public struct PassingFoldedMiddleware: FoldedMiddleware {
    public init() {}

    public func intercept(
        _ request: HTTPRequest,
        body: Content?,
        baseURL: URL,
        operationID: String,
        next: Next
    ) async throws -> (HTTPResponse, Content?) {
        try await next(request, body, baseURL)
    }
}
