import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Adds a new assertion to each attempt, because servers accept each assertion id only once (RFC 7523 section 3).
struct ClientAssertionInterceptor: Interceptor {
    /// The assertions sent so far, which errors must not reveal.
    final class Sent: Sendable {
        private let texts = Lock<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func note(_ text: String) { texts.withLock { $0.append(text) } }
    }

    let assertion: ClientAssertion
    /// The token endpoint, even if a request goes to one of its several hosts.
    let endpoint: HTTP.URL
    let parameters: [(name: String, value: String)]
    let sent = Sent()

    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        // A redirect removed the parameters, which include the client's proof.
        guard !chain.input.body.isEmpty else { return try await chain.proceed() }
        let runtime = chain.call.runtime
        var request = chain.input
        let text = try assertion.text(
            for: endpoint,
            at: runtime.date,
            id: runtime.randomBytes(16)
        )
        sent.note(text)
        let all = parameters + ClientAssertion.parameters(assertion.client, text)
        request.body = .form(HTTP.Parameters(all))
        return try await chain.proceed(request)
    }
}
