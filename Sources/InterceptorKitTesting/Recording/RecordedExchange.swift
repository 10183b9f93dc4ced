import InterceptorKit
import InterceptorKitInspection

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An exchange while it is recorded.
struct RecordedExchange {
    private let request: HTTP.Request
    private let body: HTTP.CapturedBody
    private let call: Call
    private let builder: HAR.Builder

    init(
        _ request: HTTP.Request,
        _ body: HTTP.CapturedBody,
        _ call: Call,
        _ builder: HAR.Builder
    ) {
        self.request = request
        self.body = body
        self.call = call
        self.builder = builder
    }

    /// Sends the request, passes its outcome to `add`, and then returns it.
    nonisolated(nonsending) func record(
        over base: any Transport<HTTP.Request>,
        upTo limit: Int,
        add: (HAR.Entry) throws -> Void
    ) async throws -> HTTP.Response {
        let runtime = call.runtime
        let date = runtime.date
        let start = runtime.now
        func entry(_ outcome: HAR.Builder.Outcome, head: Runtime.Instant) -> HAR.Entry {
            builder.entry(
                request,
                body: body,
                outcome: outcome,
                startedAt: date,
                timings: HAR.Timings(
                    wait: start.duration(to: head),
                    receive: head.duration(to: runtime.now)
                ),
                hiding: call.credentialFields
            )
        }
        var response: HTTP.Response
        do {
            response = try await base.send(request, call: call)
        } catch let error as TransportError {
            try add(entry(.failure(error), head: runtime.now))
            throw error
        }
        let head = runtime.now
        let (content, error, trailers) = try await capture(&response, upTo: limit)
        let outcome = HAR.Builder.Outcome.response(
            response,
            content,
            brokenOff: error,
            trailers: trailers
        )
        try add(entry(outcome, head: head))
        return response
    }

    // Leaves the body unchanged, unless it broke off or trailers followed: then the received part is kept.
    private nonisolated(nonsending) func capture(
        _ response: inout HTTP.Response,
        upTo limit: Int
    ) async throws -> (HTTP.CapturedBody, TransportError?, HTTP.Headers?) {
        do {
            let seen = try await response.body.peek(upTo: min(limit, .max - 1) + 1)
            guard seen.count <= limit else {
                return (.unread("it is larger than the \(limit) bytes that are recorded"), nil, nil)
            }
            guard !response.body.isReplayable else { return (.bytes(seen), nil, nil) }
            // Reads from memory, so that the stream registers its end.
            let content = try await response.body.collect(upTo: limit)
            let trailers = response.trailers
            response.body = .oneShot(
                length: content.count,
                ReplayedBody(content, ending: .success(trailers ?? [:]))
            )
            return (.bytes(content), nil, trailers)
        } catch let error as TransportError {
            let seen = (try? await response.body.peek(upTo: 0)) ?? Data()
            response.body = .oneShot(ReplayedBody(seen, ending: .failure(error)))
            return (.bytes(seen), error, nil)
        }
    }
}
