import HTTPTypes
import InterceptorKit
import InterceptorKitOpenAPI
import OpenAPIRuntime
import Synchronization
import Testing

@Suite("InterceptorServerMiddleware")
struct InterceptorServerMiddlewareTests {
    /// Takes the caller's word for who it is.
    private struct Naming: Interceptor {
        func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
            guard let name = chain.input.headers["X-Caller"] else {
                return HTTP.Response(401, headers: ["WWW-Authenticate": "Caller"])
            }
            var call = chain.call
            call.principal = Principal(name, issuer: "test")
            var response = try await chain.proceed(chain.input, call: call)
            response.headers["X-Operation"] = chain.call.operationID
            response.headers["X-URL"] = chain.input.url.text
            return response
        }
    }

    private struct Throwing: Interceptor {
        let error: any Error

        func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
            throw error
        }
    }

    private struct Teapot: Error, HTTPResponseConvertible {
        var httpStatus: HTTPResponse.Status { .init(code: 418) }
    }

    private struct Unknown: Error {}

    private static func request(by caller: String?) -> HTTPRequest {
        var request = HTTPRequest(
            method: .put,
            scheme: "http",
            authority: "10.0.0.7:8080",
            path: "/orders/7?full=true"
        )
        if let caller { request.headerFields[HTTPField.Name("X-Caller")!] = caller }
        return request
    }

    @Test("tells handlers who calls, and passes the request and the response on as they were")
    func principal() async throws {
        let chain = try InterceptorServerMiddleware(origin: "https://api.example.com") { Naming() }
        let server = OrdersServer(middlewares: [chain]) { id, content in
            "\(id) \(content) of \(Call.served?.principal?.id ?? "nobody")"
        }

        let (head, body) = try await server.receive(Self.request(by: "alice"), "two teas")

        #expect(head.status == .ok)
        #expect(head.headerFields[HTTPField.Name("X-Operation")!] == "putOrder")
        #expect(
            head.headerFields[HTTPField.Name("X-URL")!]
                == "https://api.example.com/orders/7?full=true"
        )
        let text = try await String(collecting: try #require(body), upTo: 1 << 20)
        #expect(text == "7 two teas of test alice")
    }

    @Test("runs no handler for a request that an interceptor refuses")
    func refused() async throws {
        let runs = Mutex(0)
        let chain = try InterceptorServerMiddleware { Naming() }
        let server = OrdersServer(middlewares: [chain]) { _, _ in
            runs.withLock { $0 += 1 }
            return ""
        }

        let (head, _) = try await server.receive(Self.request(by: nil), nil)

        #expect(head.status == .unauthorized)
        #expect(head.headerFields[.wwwAuthenticate] == "Caller")
        #expect(runs.withLock { $0 } == 0)
    }

    @Test(
        "turns errors that a caller may know into responses, and leaves others to the runtime",
        arguments: [
            (LimitError(.rate, nil, "Full."), 429, 503),
            (TransportError(.cannotConnect, "Away."), 502, 502),
            (Teapot(), nil, nil), (Unknown(), nil, nil), (CancellationError(), nil, nil),
        ] as [(any Error, Int?, Int?)]
    )
    func errors(error: any Error, ofChain: Int?, ofHandler: Int?) async throws {
        let throwing = OrdersServer(
            middlewares: [try InterceptorServerMiddleware { Throwing(error: error) }]
        ) { _, _ in "" }
        let failing = OrdersServer(middlewares: [try InterceptorServerMiddleware { [] }]) { _, _ in
            throw error
        }

        for (server, expected) in [(throwing, ofChain), (failing, ofHandler)] {
            do {
                let (head, _) = try await server.receive(Self.request(by: nil), nil)
                #expect(head.status.code == expected)
            } catch let thrown as ServerError {
                #expect(expected == nil)
                #expect(type(of: thrown.underlyingError) == type(of: error))
                #expect(thrown.httpStatus.code == (error is Teapot ? 418 : 500))
            }
        }
    }
}
