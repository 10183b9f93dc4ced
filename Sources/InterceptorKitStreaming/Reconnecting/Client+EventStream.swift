import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Client {
    /// Sends a request for an event stream, which may be quiet and endless: only its silence is limited.
    func openEventStream(
        _ request: HTTP.Request,
        silenceLimit: Duration,
        timeout: Duration?,
        configure: (inout Call) throws -> Void
    ) async throws -> HTTP.Response {
        var made: Call?
        var answer = try await send(request, timeout: timeout) { call in
            call.minimumBodyRate = 0
            call.totalBodyTimeout = HTTP.Client.unlimited
            call.bodyIdleTimeout = HTTP.Client.unlimited
            try configure(&call)
            made = call
        }
        if let made {
            answer.body = answer.body.limited(
                toSilenceOf: silenceLimit,
                of: made,
                by: "HTTP.Client"
            )
        }
        return answer
    }
}

extension HTTP.Response {
    /// Releases the response, and makes an error of it with the first 64 KiB of its body.
    func refusal(
        on runtime: Runtime,
        _ error: (HTTP.Response) -> HTTP.StreamingError
    ) async -> HTTP.StreamingError {
        var response = self
        let beginning = try? await body.beginning(upTo: 64 << 10, within: .seconds(1), on: runtime)
        await discard(on: runtime)
        response.body = .bytes(beginning?.bytes ?? Data())
        return error(response)
    }
}
