#if AsyncHTTPClient
import AsyncHTTPClient
import InterceptorKit
import NIOCore
import NIOHTTP1

extension HTTP.Response {
    init(
        _ response: HTTPClientResponse,
        to request: HTTP.Request,
        sentWith outgoing: OutgoingRequest,
        over engine: Engine
    ) async throws {
        // It is too late to prevent the redirect, but not to report it: no interceptor's rules applied to it.
        if response.history.count > 1 { throw RedirectFollowed() }
        var headers = HTTP.Headers(response.headers.lazy.map { ($0.name, $0.value) })
        let isBodiless = response.isBodiless(method: request.method)
        if engine.decompresses, !isBodiless { headers.describeDecodedBody() }
        let body: HTTP.Body
        if isBodiless {
            // The end follows at once; reading it frees the connection.
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
    /// Whether the method and status imply that no content follows (RFC 9110 section 6.4.1).
    fileprivate func isBodiless(method: HTTP.Method) -> Bool {
        method == .head || status == .noContent || status == .notModified
            || headers.first(name: "Content-Length") == "0"
    }
}

extension HTTP.Headers {
    /// Removes the fields that do not describe a body that the engine decoded.
    fileprivate mutating func describeDecodedBody() {
        // The codings that the engine knows, and the only field line it reads.
        guard let coding = values("Content-Encoding").first?.lowercased(),
            coding == "gzip" || coding == "deflate"
        else { return }
        self["Content-Encoding"] = nil
        self["Content-Length"] = nil
    }
}

/// The engine followed a redirect, as its configuration allowed.
struct RedirectFollowed: Error {}
#endif
