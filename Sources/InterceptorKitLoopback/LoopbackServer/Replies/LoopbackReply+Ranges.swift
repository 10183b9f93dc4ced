public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer.Reply {
    /// Returns content as a file server does: complete, or the one range that a request asks for, unless its
    /// `If-Range` names another version (RFC 9110 section 14).
    /// - Parameters:
    ///   - content: The complete content.
    ///   - headers: The fields of every response. An `ETag` or a `Last-Modified` identifies the version.
    ///     Defaults to none.
    ///   - request: The request.
    public static func content(
        _ content: Data,
        headers: HTTP.Headers = [:],
        for request: LoopbackServer.Request
    ) -> Self {
        let answer = RangedContent(content, headers: headers).response(to: request.headers)
        return .status(answer.status, headers: answer.headers, body: answer.body)
    }
}
