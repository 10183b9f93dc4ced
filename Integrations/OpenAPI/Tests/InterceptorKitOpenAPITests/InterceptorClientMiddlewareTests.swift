import Foundation
import HTTPTypes
import InterceptorKit
import InterceptorKitOpenAPI
import InterceptorKitTesting
import OpenAPIRuntime
import Synchronization
import Testing

@Suite("InterceptorClientMiddleware")
struct InterceptorClientMiddlewareTests {
    /// A transport of the runtime's, which notes what it is sent.
    private final class Recording: ClientTransport {
        struct Sent: Sendable {
            let request: HTTPRequest
            let baseURL: String
            let operationID: String
            let body: String
        }

        private let log = Mutex<[Sent]>([])
        private let reply: @Sendable (Int) throws -> (HTTPResponse, HTTPBody?)

        init(_ reply: @escaping @Sendable (_ number: Int) throws -> (HTTPResponse, HTTPBody?)) {
            self.reply = reply
        }

        var sent: [Sent] { log.withLock(\.self) }

        func send(
            _ request: HTTPRequest,
            body: HTTPBody?,
            baseURL: URL,
            operationID: String
        ) async throws -> (HTTPResponse, HTTPBody?) {
            var text = ""
            if let body { text = try await String(collecting: body, upTo: 1 << 20) }
            let entry = Sent(
                request: request,
                baseURL: baseURL.absoluteString,
                operationID: operationID,
                body: text
            )
            let number = log.withLock { log in
                log.append(entry)
                return log.count
            }
            return try reply(number)
        }
    }

    @Test("passes a request on as it was")
    func unchanged() async throws {
        let transport = Recording { _ in (HTTPResponse(status: .ok), HTTPBody("bye")) }
        let middleware = try InterceptorClientMiddleware { [] }
        let client = OrdersClient(transport: transport, middlewares: [middleware])

        let output = try await client.postOrder("hello")

        let sent = try #require(transport.sent.first)
        #expect(sent.request.method == .post && sent.request.path == "/orders")
        #expect(sent.baseURL == "https://a.example/v1")
        #expect(sent.body == "hello" && sent.operationID == "postOrder")
        #expect(try await output.text == "bye")
    }

    @Test("tries again over the transport below, with the same body")
    func retry() throws {
        let transport = Recording { number in
            (HTTPResponse(status: number == 1 ? .serviceUnavailable : .ok), nil)
        }
        let status = try Simulation.run(seed: 1) { simulation in
            let middleware = try InterceptorClientMiddleware(runtime: simulation.runtime) {
                IdempotencyKeyInterceptor()
                RetryInterceptor(policy: .standard)
            }
            let client = OrdersClient(transport: transport, middlewares: [middleware])
            return try await client.postOrder("hello").status
        }

        #expect(status == 200)
        #expect(transport.sent.map(\.body) == ["hello", "hello"])
    }

    @Test("sends to another place where an interceptor changes the URL")
    func otherURL() async throws {
        struct Moving: Interceptor {
            func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
                var request = chain.input
                request.url = "https://b.example/moved?x=1"
                return try await chain.proceed(request)
            }
        }
        let transport = Recording { _ in (HTTPResponse(status: .ok), nil) }
        let middleware = try InterceptorClientMiddleware { Moving() }

        _ = try await OrdersClient(transport: transport, middlewares: [middleware]).getOrder()

        #expect(transport.sent.first?.baseURL == "https://b.example")
        #expect(transport.sent.first?.request.path == "/moved?x=1")
    }

    @Test("works twice in a row, each with its own interceptors")
    func twice() async throws {
        let transport = Recording { _ in (HTTPResponse(status: .ok), nil) }
        let first = try InterceptorClientMiddleware { DefaultHeadersInterceptor(["X-First": "1"]) }
        let second = try InterceptorClientMiddleware {
            DefaultHeadersInterceptor(["X-Second": "2"])
        }

        _ = try await OrdersClient(transport: transport, middlewares: [first, second]).getOrder()

        let names = transport.sent.first?.request.headerFields.map(\.name.rawName) ?? []
        #expect(Set(["X-First", "X-Second"]).isSubset(of: names))
    }

    /// Answers with what it has, and leaves what follows under way.
    private struct Revalidating: Interceptor {
        let asked: AsyncStream<Void>

        func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
            Task { try await chain.proceed() }
            for await _ in asked { break }
            return HTTP.Response(200, body: "stale")
        }
    }

    /// Answers nothing until it is cancelled.
    private final class Silent: ClientTransport {
        let asked = AsyncStream<Void>.makeStream()
        let wasCancelled = Mutex(false)

        func send(
            _ request: HTTPRequest,
            body: HTTPBody?,
            baseURL: URL,
            operationID: String
        ) async throws -> (HTTPResponse, HTTPBody?) {
            asked.continuation.yield()
            let silence = AsyncStream<Void>.makeStream()
            for await _ in silence.stream {}
            wasCancelled.withLock { $0 = Task.isCancelled }
            throw CancellationError()
        }
    }

    @Test("ends what an interceptor left under way before the call returns")
    func leftUnderWay() async throws {
        let transport = Silent()
        let middleware = try InterceptorClientMiddleware {
            Revalidating(asked: transport.asked.stream)
        }
        let client = OrdersClient(transport: transport, middlewares: [middleware])

        let output = try await client.getOrder()

        #expect(try await output.text == "stale")
        let wasCancelled = transport.wasCancelled.withLock { $0 }
        #expect(wasCancelled)
    }

    @Test("refuses interceptors in an order that cannot work")
    func order() {
        #expect(throws: PipelineError.self) {
            try InterceptorClientMiddleware { TimeoutInterceptor(total: .seconds(-1)) }
        }
    }
}
