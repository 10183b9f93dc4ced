#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Observes a pass without changing it. Logs and archives need more than events have: the request, the response's head,
/// and the part of the body that its reader reads.
package struct ExchangeObserver: Sendable {
    private let bodyLimit: Int?
    private let onResponse: @Sendable (ObservedExchange) -> Void
    private let onEnd: (@Sendable (ObservedExchange, HTTP.BodyRecord, Runtime.Instant) -> Void)?

    /// Creates an observer.
    /// - Parameters:
    ///   - bodyLimit: The kept part of a response's body, in bytes; `nil` to leave bodies alone.
    ///   - onResponse: Receives the exchange when the response's head has arrived or the pass has failed.
    ///   - onEnd: Receives the body's record once, however the body ends; never after a failure.
    package init(
        bodyLimit: Int?,
        onResponse: @escaping @Sendable (ObservedExchange) -> Void,
        onEnd: (@Sendable (ObservedExchange, HTTP.BodyRecord, Runtime.Instant) -> Void)? = nil
    ) {
        self.bodyLimit = bodyLimit
        self.onResponse = onResponse
        self.onEnd = onEnd
    }

    package nonisolated(nonsending) func pass(
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let (request, call) = (chain.input, chain.call)
        let (date, began) = (call.runtime.date, call.runtime.now)
        func exchange(_ outcome: ObservedExchange.Outcome) -> ObservedExchange {
            ObservedExchange(
                request: request,
                call: call,
                date: date,
                began: began,
                responded: call.runtime.now,
                outcome: outcome
            )
        }
        do {
            let response = try await chain.proceed()
            let exchange = exchange(.response(response))
            onResponse(exchange)
            return watched(response, exchange)
        } catch {
            onResponse(exchange(.failure(error)))
            throw error
        }
    }

    private func watched(_ response: HTTP.Response, _ exchange: ObservedExchange) -> HTTP.Response {
        guard let bodyLimit, let onEnd else { return response }
        let runtime = exchange.call.runtime
        // A replayable body that is not in memory was not sent by the server.
        guard response.body.inMemory != nil || !response.body.isReplayable else { return response }
        var watched = response
        watched.body = response.body.recorded(upTo: bodyLimit) { record in
            onEnd(exchange, record, runtime.now)
        }
        return watched
    }
}

/// One pass of a request and its outcome, as an observer saw it.
package struct ObservedExchange: Sendable {
    package enum Outcome: Sendable {
        case response(HTTP.Response)
        case failure(any Error)
    }

    package let request: HTTP.Request
    package let call: Call
    package let date: Date
    package let began: Runtime.Instant
    /// The arrival of the response's head, or the failure.
    package let responded: Runtime.Instant
    package let outcome: Outcome
}
