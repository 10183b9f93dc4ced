public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer.Reply {
    /// Content as a file server gives it: whole, or the one range that a request asks for, unless its
    /// `If-Range` says that it has another version (RFC 9110 section 14).
    /// - Parameters:
    ///   - content: All of it.
    ///   - headers: Sent with every answer. An `ETag` or a `Last-Modified` among them tells the
    ///     version. Defaults to none.
    ///   - request: What is answered.
    public static func content(
        _ content: Data,
        headers: HTTP.Headers = [:],
        for request: LoopbackServer.Request
    ) -> Self {
        let answer = RangedContent(content, headers: headers).response(to: request.headers)
        return .status(answer.status, headers: answer.headers, body: answer.body)
    }
}
