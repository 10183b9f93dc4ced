#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Watches a pass without changing it: its request, its response's head, and as much of the body as
/// the reader reads.
struct ExchangeObserver: Sendable {
    /// How many bytes of a response's body are kept; `nil` to leave bodies alone.
    let bodyLimit: Int?
    /// Told when the response's head, or a failure, is there.
    var answered: (@Sendable (Exchange) -> Void)?
    /// Told once when the response's body has ended, however it ends; not after a failure.
    var ended: (@Sendable (Exchange, HTTP.BodyRecord, Runtime.Instant) -> Void)?

    nonisolated(nonsending) func pass(
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let (request, call) = (chain.input, chain.call)
        let (date, began) = (call.runtime.date, call.runtime.now)
        func exchange(_ outcome: Exchange.Outcome) -> Exchange {
            Exchange(
                request: request,
                call: call,
                date: date,
                began: began,
                answered: call.runtime.now,
                outcome: outcome
            )
        }
        do {
            let response = try await chain.proceed()
            let exchange = exchange(.response(response))
            answered?(exchange)
            return watched(response, exchange)
        } catch {
            answered?(exchange(.failure(error)))
            throw error
        }
    }

    private func watched(_ response: HTTP.Response, _ exchange: Exchange) -> HTTP.Response {
        guard let bodyLimit, let ended else { return response }
        let runtime = exchange.call.runtime
        // A body that can be read again is not the server's.
        guard response.body.inMemory != nil || !response.body.isReplayable else { return response }
        var watched = response
        watched.body = response.body.recorded(upTo: bodyLimit) { record in
            ended(exchange, record, runtime.now)
        }
        return watched
    }
}

/// One pass of a request and its outcome, as an observer saw it.
struct Exchange: Sendable {
    /// The outcome of a request.
    enum Outcome: Sendable {
        case response(HTTP.Response)
        case failure(any Error)
    }

    let request: HTTP.Request
    let call: Call
    let date: Date
    let began: Runtime.Instant
    /// When the response's head was there, or the failure.
    let answered: Runtime.Instant
    let outcome: Outcome
}
