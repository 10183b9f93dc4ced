import Foundation
import HTTPTypes
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitOpenAPI
import InterceptorKitTesting
import OpenAPIRuntime
import Synchronization
import Testing

@Suite("InterceptorClientTransport")
struct InterceptorClientTransportTests {
    private func client(
        _ serverURL: String = "https://a.example/v1",
        over transport: ScriptedTransport<HTTP.Request>,
        runtime: Runtime = .live,
        @InterceptorBuilder<HTTP.Request> _ interceptors: () -> [any Interceptor<HTTP.Request>] = {
            []
        }
    ) throws -> OrdersClient {
        let api = try HTTP.Client(interceptors(), transport: transport, runtime: runtime)
        return OrdersClient(serverURL, transport: InterceptorClientTransport(api))
    }

    @Test("joins the server's URL and the path, and keeps method, fields and query")
    func request() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])

        _ = try await client(over: transport).getOrder("7%20b")

        let sent = try #require(transport.sent.first?.input)
        #expect(sent.url.text == "https://a.example/v1/orders/7%20b?full=true")
        #expect(sent.method == .get)
        #expect(sent.headers["Accept"] == "application/json")
    }

    @Test("leaves the URL relative for a chain with a base URL")
    func baseURL() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])

        _ = try await client("/", over: transport) { BaseURLInterceptor("https://b.example/v2") }
            .getOrder()

        #expect(
            transport.sent.first?.input.url.text == "https://b.example/v2/orders/7?full=true"
        )
    }

    @Test("delivers status, repeated fields and body")
    func response() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(404, headers: ["X-A": "1", "X-A": "2"], body: "no")
        }

        let output = try await client(over: transport).getOrder()

        #expect(output.status == 404)
        #expect(output.headers.filter { $0.name.rawName == "X-A" }.map(\.value) == ["1", "2"])
        #expect(try await output.text == "no")
    }

    @Test("delivers no body for 204 and HEAD")
    func empty() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(204) }
        let client = try client(over: transport)

        #expect(try await client.getOrder().body == nil)
        #expect(try await client.getOrder(method: .head).body == nil)
    }

    @Test("names the operation to interceptors")
    func operationID() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, call in
            HTTP.Response(200, headers: ["X-Operation": call.operationID ?? "none"])
        }
        let client = try client(over: transport)
        let name = try #require(HTTPField.Name("X-Operation"))

        #expect(try await client.getOrder().headers[name] == "getOrder")
        #expect(try await client.postOrder(nil).headers[name] == "postOrder")
    }

    @Test("lets an interceptor decide by operation")
    func policy() async throws {
        struct Refusing: Interceptor {
            func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
                chain.call.operationID == "postOrder"
                    ? HTTP.Response(403) : try await chain.proceed()
            }
        }
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let client = try client(over: transport) { Refusing() }

        #expect(try await client.getOrder().status == 200)
        #expect(try await client.postOrder(nil).status == 403)
    }

    @Test("tries again after 503, as late as the server asks")
    func retry() throws {
        let statuses = try Simulation.run(seed: 1) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503, headers: ["Retry-After": "5"]), .status(200),
            ])
            let client = try client(over: transport, runtime: simulation.runtime) {
                RetryInterceptor(policy: .standard)
            }
            let output = try await client.getOrder()
            return [output.status, Int(simulation.runtime.now.offset / .seconds(1))]
        }

        #expect(statuses == [200, 5])
    }

    @Test("sends a body that can be iterated again with each attempt")
    func replayable() async throws {
        let bodies = Bodies()
        let client = try client(over: bodies.server) { Again() }

        _ = try await client.postOrder(
            HTTPBody(["a", "b"].map { ArraySlice($0.utf8) }.flatMap(\.self))
        )

        #expect(bodies.all == ["ab", "ab"])
    }

    @Test("sends a body that can be iterated once only once, and says so")
    func oneShot() async throws {
        let bodies = Bodies()
        let client = try client(over: bodies.server) { Again() }
        let (stream, continuation) = AsyncStream<HTTPBody.ByteChunk>.makeStream()
        continuation.yield(ArraySlice("ab".utf8))
        continuation.finish()

        let error = await #expect(throws: ClientError.self) {
            try await client.postOrder(HTTPBody(stream, length: .unknown))
        }

        #expect(bodies.all == ["ab"])
        #expect((error?.underlyingError as? HTTP.ContentError)?.code == .alreadyRead)
    }

    @Test("refreshes an expired token once for a hundred operations at once")
    func storm() async throws {
        let refreshes = Refreshes()
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            HTTP.Response(request.headers["Authorization"] == "Bearer 2" ? 200 : 401)
        }
        let source = RefreshableCredentialSource(initial: { .bearer("1") }) { _ in
            refreshes.count()
            return .bearer("2")
        }
        let client = try client(over: transport) {
            TokenInterceptor(source: source, origins: ["https://a.example"])
        }

        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await client.getOrder().status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(statuses == Array(repeating: 200, count: 100))
        #expect(refreshes.total == 1)
    }

    @Test("ends at its time limit with the chain's error")
    func deadline() throws {
        let code = try Simulation.run(seed: 1) { simulation -> TimeoutError.Code? in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(100))
                return HTTP.Response(200)
            }
            let client = try client(over: transport, runtime: simulation.runtime) {
                TimeoutInterceptor(total: .seconds(3))
            }
            do {
                _ = try await client.getOrder()
                return nil
            } catch let error as ClientError {
                return (error.underlyingError as? TimeoutError)?.code
            }
        }

        #expect(code == .total)
    }

    @Test("passes errors on unchanged")
    func failure() async throws {
        struct Mine: Error, Equatable {}
        let transport = ScriptedTransport<HTTP.Request> { _, _ in throw Mine() }

        let error = await #expect(throws: ClientError.self) {
            try await client(over: transport).getOrder()
        }

        #expect(error?.underlyingError as? Mine == Mine())
        #expect(error?.operationID == "getOrder")
    }

    @Test("keeps a cancellation a cancellation")
    func cancellation() throws {
        let isCancelled = try Simulation.run(seed: 1) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(100))
                return HTTP.Response(200)
            }
            let client = try client(over: transport, runtime: simulation.runtime)
            let task = Task { try await client.getOrder() }
            try await simulation.runtime.sleep(for: .seconds(1))
            task.cancel()
            guard case .failure(let error) = await task.result else { return false }
            let cause = (error as? ClientError)?.underlyingError ?? error
            return cause is CancellationError && simulation.runtime.now.offset == .seconds(1)
        }

        #expect(isCancelled)
    }

    @Test("signs the body that is sent")
    func signing() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let key = SigningKey(id: "k", secret: Array("s3cret".utf8))
        let client = try client(over: transport) {
            SignInterceptor(RequestSigner(HMACScheme(), key: key))
        }

        _ = try await client.postOrder("ab")

        #expect(transport.sent.first?.input.headers.isEmpty == false)
    }

    @Test("streams a response before its end, and releases one that is dropped")
    func streaming() async throws {
        let server = try LoopbackServer { request in
            .status(200, body: Data(repeating: 0x61, count: 200_000)).stalledInBody(after: 100_000)
        }
        defer { server.stop() }
        let api = HTTP.Client(transport: try CurlTransport())
        let client = OrdersClient("\(server.origin)", transport: InterceptorClientTransport(api))

        var body = try await client.getOrder().body
        var count = 0
        if let body {
            for try await chunk in body {
                count += chunk.count
                if count >= 100_000 { break }
            }
        }
        body = nil

        #expect(count >= 100_000)
        try await server.waitForOpenConnections(0, timeout: .seconds(10))
    }

    @Test("sends and receives large bodies as they come")
    func large() async throws {
        let server = try LoopbackServer { .status(200, body: $0.body) }
        defer { server.stop() }
        let api = HTTP.Client(transport: try CurlTransport())
        let client = OrdersClient("\(server.origin)", transport: InterceptorClientTransport(api))
        let content = String(repeating: "0123456789", count: 300_000)

        let text = try await client.postOrder(HTTPBody(content)).text

        #expect(text == content)
    }
}

/// Sends twice, whatever comes.
private struct Again: Interceptor {
    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        _ = try await chain.proceed()
        return try await chain.proceed()
    }
}

/// What a server was sent.
private final class Bodies: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock(\.self) }

    var server: ScriptedTransport<HTTP.Request> {
        ScriptedTransport { request, _ in
            let text = String(decoding: try await request.body.collect(), as: UTF8.self)
            self.texts.withLock { $0.append(text) }
            return HTTP.Response(200)
        }
    }
}

private final class Refreshes: Sendable {
    private let number = Mutex(0)

    var total: Int { number.withLock(\.self) }

    func count() { number.withLock { $0 += 1 } }
}
