// What the guide OnAServer shows.
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTransport

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

    /// Ends what is under way; for when the server has stopped taking requests.
    func shutDown() {
        stock.cancelAll()
        transport.close()
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
