public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A body as a client generated from an API description hands it on: a reference.
public final class Content: Sendable {
    public init() {}
}

/// The way to what comes next.
public typealias Next =
    @Sendable (HTTPRequest, Content?, URL) async throws -> (
        HTTPResponse, Content?
    )

/// A link of a chain that is folded again for each call.
public protocol FoldedMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest,
        body: Content?,
        baseURL: URL,
        operationID: String,
        next: Next
    ) async throws -> (HTTPResponse, Content?)
}

/// Sends requests through middlewares the way clients generated from API descriptions do: each call
/// wraps them, last first, into closures around the transport.
public struct FoldingClient: Sendable {
    private let baseURL: URL
    private let middlewares: [any FoldedMiddleware]
    private let transport: Next

    public init(
        baseURL: URL,
        middlewares: [any FoldedMiddleware],
        transport: @escaping Next
    ) {
        self.baseURL = baseURL
        self.middlewares = middlewares
        self.transport = transport
    }

    public func send(
        _ request: HTTPRequest,
        body: Content?,
        operationID: String
    ) async throws -> (HTTPResponse, Content?) {
        var folded = transport
        for middleware in middlewares.reversed() {
            let inner = folded
            folded = { request, body, baseURL in
                try await middleware.intercept(
                    request,
                    body: body,
                    baseURL: baseURL,
                    operationID: operationID,
                    next: inner
                )
            }
        }
        return try await folded(request, body, baseURL)
    }
}
