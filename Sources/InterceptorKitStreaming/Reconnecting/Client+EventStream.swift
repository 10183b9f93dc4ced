import InterceptorKit

extension HTTP.Client {
    /// Sends a request for an event stream, which may be silent or endless: only `silenceLimit` applies to its body.
    func openEventStream(
        _ request: HTTP.Request,
        silenceLimit: Duration,
        timeout: Duration?,
        configure: (inout Call) throws -> Void
    ) async throws -> HTTP.Response {
        var made: Call?
        var response = try await send(request, timeout: timeout) { call in
            call.minimumBodyRate = 0
            call.totalBodyTimeout = HTTP.Client.unlimited
            call.bodyIdleTimeout = HTTP.Client.unlimited
            try configure(&call)
            made = call
        }
        if let made {
            response.body = response.body.limited(
                toSilenceOf: silenceLimit,
                of: made,
                by: "HTTP.Client"
            )
        }
        return response
    }

    /// Releases a response, and returns an error with the first 64 KiB of its body.
    /// - Throws: `CancellationError` if the task, or all work of the client, is cancelled.
    func refusal(
        of response: HTTP.Response,
        _ error: (HTTP.Response) -> HTTP.StreamingError
    ) async throws -> HTTP.StreamingError {
        var response = response
        // To its reader, a body that `cancelAll()` ends looks late; the client's registry reports the cancellation.
        let beginning = try await runTransfer { [body = response.body, runtime] in
            try await body.beginning(upTo: 64 << 10, within: .seconds(1), on: runtime)
        }
        await response.discard(on: runtime)
        response.body = .bytes(beginning.bytes)
        return error(response)
    }
}
