import InterceptorKit
import InterceptorKitJWT
import InterceptorKitSharedState
import Synchronization

/// What the service does for a caller that it knows.
struct Notes: Transport {
    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        HTTP.Response(200, body: .text("the notes of \(call.principal?.subject ?? "nobody")"))
    }
}

/// The service as a server framework has it: a chain, and responses for the errors of the chain.
struct Service: Transport {
    private let pipeline: Pipeline<HTTP.Request>

    init(_ verifier: JSONWebTokenVerifier, events: some EventSink) throws {
        pipeline = try Pipeline(transport: Notes(), events: events) {
            ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 200))
            BearerTokenInterceptor(verifier, requiring: AccessRequirement(scopes: ["notes:read"]))
            // Below, so that each caller has a limit of its own.
            SharedRateLimitInterceptor(
                MemoryRateLimitStore(),
                quota: RateLimitQuota(3, per: .seconds(600))
            )
        }
    }

    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        var response: HTTP.Response
        do {
            response = try await pipeline.run(request)
        } catch {
            guard let answer = HTTP.Response(answering: error) else { throw error }
            response = answer
        }
        response.request = request
        return response
    }
}

/// The server's log: why tokens were refused, which no response says.
final class Refusals: EventSink {
    private let reasons = Mutex<[String]>([])

    var last: String { reasons.withLock { $0.last ?? "nothing" } }

    func record(_ event: Event) {
        guard event.name == .tokenRefused, let reason = event.attributes["reason"] else { return }
        reasons.withLock { $0.append("\(reason)") }
    }
}
