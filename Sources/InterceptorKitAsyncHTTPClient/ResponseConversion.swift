#if AsyncHTTPClient
import AsyncHTTPClient
import InterceptorKit
import NIOCore
import NIOHTTP1

extension HTTP.Response {
    /// Takes over a response whose body is still to come.
    init(
        _ response: HTTPClientResponse,
        to request: HTTP.Request,
        sentWith outgoing: OutgoingRequest,
        over engine: Engine
    ) async throws {
        // Too late to prevent it, but not to report it: the redirect was followed without an interceptor's
        // rules.
        if response.history.count > 1 { throw RedirectFollowed() }
        var headers = HTTP.Headers(response.headers.lazy.map { ($0.name, $0.value) })
        let isBodiless = response.isBodiless(method: request.method)
        if engine.decompresses, !isBodiless { headers.describeDecodedBody() }
        let body: HTTP.Body
        if isBodiless {
            // Its end follows at once, and the connection is free again when it was read.
            for try await _ in response.body { break }
            outgoing.stream?.cancel()
            body = .empty
        } else {
            let length = headers["Content-Length"].flatMap { Int($0) }
            body = .oneShot(
                length: length,
                ResponseBodyStream(
                    response.body,
                    length: length,
                    to: request,
                    sentWith: outgoing,
                    over: engine
                )
            )
        }
        self.init(
            HTTP.Status(Int(response.status.code)),
            headers: headers,
            body: body,
            request: request
        )
    }
}

extension HTTPClientResponse {
    /// Whether the method and status say that no content follows (RFC 9110 section 6.4.1).
    fileprivate func isBodiless(method: HTTP.Method) -> Bool {
        method == .head || status == .noContent || status == .notModified
            || headers.first(name: "Content-Length") == "0"
    }
}

extension HTTP.Headers {
    /// Removes what is no longer true of a body that the engine decoded.
    fileprivate mutating func describeDecodedBody() {
        // The codings that the engine knows, and the one it looks at.
        guard let coding = values("Content-Encoding").first?.lowercased(),
            coding == "gzip" || coding == "deflate"
        else { return }
        self["Content-Encoding"] = nil
        self["Content-Length"] = nil
    }
}

/// The engine was configured to follow redirects, and did.
struct RedirectFollowed: Error {}
#endif
