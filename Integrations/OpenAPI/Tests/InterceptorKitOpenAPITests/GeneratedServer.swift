import Foundation
import HTTPTypes
@_spi(Generated) import OpenAPIRuntime

/// What a generator makes of a document with one operation, as far as the runtime sees it.
struct OrdersServer: Sendable {
    typealias Handler = @Sendable (_ id: String, _ content: String) async throws -> String

    private let server: UniversalServer<Operations>

    struct Operations: Sendable {
        let put: Handler
    }

    init(middlewares: [any ServerMiddleware], _ handler: @escaping Handler) {
        server = UniversalServer(
            serverURL: URL(string: "/") ?? .defaultOpenAPIServerURL,
            handler: Operations(put: handler),
            configuration: .init(),
            middlewares: middlewares
        )
    }

    /// What a server transport does with a request that it has received.
    func receive(_ request: HTTPRequest, _ body: HTTPBody?) async throws -> (
        HTTPResponse, HTTPBody?
    ) {
        try await server.handle(
            request: request,
            requestBody: body,
            metadata: ServerRequestMetadata(pathParameters: ["id": "7"]),
            forOperation: "putOrder",
            using: { operations in
                { (input: [String]) in try await operations.put(input[0], input[1]) }
            },
            deserializer: { _, body, metadata in
                var content = ""
                if let body { content = try await String(collecting: body, upTo: 1 << 20) }
                return [String(metadata.pathParameters["id"] ?? ""), content]
            },
            serializer: { (text: String, _) in (HTTPResponse(status: .ok), HTTPBody(text)) }
        )
    }
}
