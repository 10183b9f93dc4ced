#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Determines from the beginning of a response whether it means failure, and which.
struct FailureReader: Sendable {
    var envelope: HTTP.ResponseEnvelope?
    var classifier: OutcomeClassifier<HTTP.Request> = .inherited
    let limit: Int
    let timeout: Duration

    /// Whether a response needs no reading, because it is accepted and cannot be a failure by an envelope.
    func isSuccess(_ response: HTTP.Response, isAccepted: Bool, _ call: Call) -> Bool {
        guard isAccepted else { return false }
        let mayBeEnvelope = envelope(of: call) != nil && response.hasJSONBody
        return !mayBeEnvelope || response.body.length ?? 0 > limit
    }

    private func envelope(of call: Call) -> HTTP.ResponseEnvelope? {
        envelope ?? call[HTTP.ResponseEnvelope.self]
    }

    /// Returns the failure that a response means, with its body released; `nil` if there is none, with its body unread.
    ///
    /// The status alone decides if the body is no envelope, is over the limit, or isn't JSON in UTF-8, UTF-16 or
    /// UTF-32.
    /// - Throws: ``TransportError`` if the body of an accepted response breaks off or does not arrive in time;
    ///   `CancellationError`.
    nonisolated(nonsending) func failure(
        of response: HTTP.Response,
        isAccepted: Bool,
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> ResponseError? {
        let envelope = envelope(of: chain.call)
        let seen = try await beginning(of: response, chain.call)
        if isAccepted, let failure = seen.failure { throw failure }
        let value = response.hasJSONBody ? seen.json : nil
        let business = value.flatMap { envelope?.failure(in: $0) }
        if isAccepted && business == nil { return nil }
        let isProblem = response.headers.mediaType == "application/problem+json"
        let problem = isProblem ? value : nil
        return await error(
            for: response,
            isAccepted: isAccepted,
            seen,
            problem.flatMap { HTTP.ProblemDetails($0, base: response.request?.url) },
            business,
            business.flatMap { envelope?.kind(of: $0.code) },
            chain
        )
    }

    nonisolated(nonsending) func beginning(
        of response: HTTP.Response,
        _ call: Call
    ) async throws -> HTTP.Body.Beginning {
        try await response.body.beginning(
            upTo: limit,
            within: min(timeout, call.remaining ?? timeout),
            on: call.runtime
        )
    }

    private nonisolated(nonsending) func error(
        for response: HTTP.Response,
        isAccepted: Bool,
        _ seen: HTTP.Body.Beginning,
        _ problem: HTTP.ProblemDetails?,
        _ business: HTTP.ResponseEnvelope.Failure?,
        _ kind: Classification.Kind?,
        _ chain: InterceptorChain<HTTP.Request>
    ) async -> ResponseError {
        let outcome = Outcome(input: chain.input, result: .success(response), call: chain.call)
        var classification = await classifier.classify(outcome)
        if let kind, let business {
            let retryAfter = response.headers.retryAfter(date: outcome.date)
            classification = Classification(kind, reason: business.reason, retryAfter: retryAfter)
        } else if classification.kind == .success {
            classification = .permanent(business?.reason ?? response.status.description)
        }
        await response.discard(on: chain.call.runtime)
        return ResponseError(
            business != nil ? .business : problem != nil ? .problem : .status,
            response,
            body: seen.bytes,
            isBodyCut: seen.whole == nil,
            problem: problem,
            business: business,
            isStatusRefused: !isAccepted,
            classification: classification,
            date: outcome.date
        )
    }
}
