// What the guide OnAServer shows.
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a server framework hands to its handlers, reduced to what is needed here.
struct Incoming: Sendable {
    var tenant: String
    var headers: HTTP.Headers
    var timeLeft: Duration
}

// snippet.upstream
struct Upstreams: Sendable {
    let stock: HTTP.Client
    private let transport: CurlTransport

    init(tokens: some CredentialSource, events: any EventSink) throws {
        transport = try CurlTransport()
        stock = try HTTP.Client.standard(transport: transport, events: events) {
            BaseURLInterceptor("https://stock.example.com/v2")
            ErrorFilterInterceptor()
            TokenInterceptor(source: tokens, origins: ["https://stock.example.com"])
            TraceContextInterceptor()
        }
    }
}
// snippet.end

struct Order: Decodable, Sendable {
    var id: Int
}

func order(_ api: HTTP.Client, over transport: CurlTransport) async throws -> Order {
    // snippet.executor
    let order = try await withTaskExecutorPreference(transport.taskExecutor) {
        try await api.send(.get("/orders/7")).decode(Order.self)
    }
    // snippet.end
    return order
}

// snippet.threads
func respond(_ incoming: Incoming, over transport: CurlTransport, _ upstreams: Upstreams)
    async throws -> String
{
    try await withTaskExecutorPreference(transport.taskExecutor) {
        try await handle(incoming, upstreams)
    }
}
// snippet.end

// snippet.tenant
enum Tenant: PartitioningCallKey {
    static let defaultValue: String? = nil
}
// snippet.end

func handle(_ incoming: Incoming, _ upstreams: Upstreams) async throws -> String {
    // snippet.handle
    let response = try await upstreams.stock.send(.get("/items/7")) { call in
        call = call.withDeadline(within: incoming.timeLeft)
        call.traceContext = HTTP.TraceContext(incoming.headers)
        call[Tenant.self] = incoming.tenant
        call.limitPartition = incoming.tenant
    }
    return try await response.text(upTo: 1 << 20)
    // snippet.end
}

func serve(_ request: HTTP.Request, _ call: Call, _ upstreams: Upstreams) async throws
    -> HTTP.Response
{
    // snippet.call
    let stock = try await call.serve {
        try await upstreams.stock.send(.get("/items/7")) { call in
            call.traceContext = HTTP.TraceContext(request.headers)
        }
    }
    // snippet.end
    return stock
}

// snippet.serve
/// Responds to the requests that passed the chain.
struct Orders: Transport {
    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        HTTP.Response(200, body: .text("\(request.method) by \(call.principal?.id ?? "nobody")"))
    }
}

struct OrdersService: Sendable {
    private let pipeline: Pipeline<HTTP.Request>

    init(keys: some SigningKeyStore) throws {
        pipeline = try Pipeline(transport: Orders()) {
            CallerDeadlineInterceptor(.milliseconds("X-Request-Timeout-Ms"))
            TimeoutInterceptor(total: .seconds(30))
            ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 200))
            VerifyInterceptor(.hmac(HMACScheme(), keys: keys, nonces: NonceCache()))
        }
    }

    /// - Parameter target: The path and the query as received.
    func respond(
        _ method: HTTP.Method,
        _ target: String,
        headers: HTTP.Headers,
        body: Data
    ) async throws -> HTTP.Response {
        let url: HTTP.URL = "https://api.example.com\(raw: target)"
        do {
            return try await pipeline.run(
                HTTP.Request(method, url, headers: headers, body: .bytes(body))
            )
        } catch {
            guard let response = HTTP.Response(answering: error) else { throw error }
            return response
        }
    }
}
// snippet.end
