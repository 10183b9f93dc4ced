import Foundation
import HTTPTypes
@_spi(Generated) import OpenAPIRuntime

/// What a generator makes of a document with two operations, as far as the runtime sees it.
struct OrdersClient: Sendable {
    private let client: UniversalClient

    init(
        _ serverURL: String = "https://a.example/v1",
        transport: any ClientTransport,
        middlewares: [any ClientMiddleware] = []
    ) {
        client = UniversalClient(
            serverURL: URL(string: serverURL) ?? .defaultOpenAPIServerURL,
            transport: transport,
            middlewares: middlewares
        )
    }

    struct Output: Sendable {
        var status: Int
        var headers: HTTPFields
        var body: HTTPBody?

        var text: String {
            get async throws {
                guard let body else { return "" }
                return try await String(collecting: body, upTo: 1 << 24)
            }
        }
    }

    func getOrder(_ id: String = "7", method: HTTPRequest.Method = .get) async throws -> Output {
        try await send("getOrder", method, "/orders/\(id)?full=true", nil)
    }

    func postOrder(_ body: HTTPBody?) async throws -> Output {
        try await send("postOrder", .post, "/orders", body)
    }

    private func send(
        _ operation: String,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: HTTPBody?
    ) async throws -> Output {
        try await client.send(
            input: 0,
            forOperation: operation,
            serializer: { _ in
                var request = HTTPRequest(soar_path: path, method: method)
                request.headerFields[.accept] = "application/json"
                return (request, body)
            },
            deserializer: { response, body in
                Output(status: response.status.code, headers: response.headerFields, body: body)
            }
        )
    }
}
