import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response before its body.
struct ResponseHead: Equatable {
    var status: HTTP.Status
    var headers: HTTP.Headers
}

extension ResponseHead {
    init(_ response: HTTPURLResponse) {
        status = HTTP.Status(response.statusCode)
        headers = HTTP.Headers(response)
    }

    /// Whether the method and status say that no content follows (RFC 9110 section 6.4.1).
    func isBodiless(method: HTTP.Method) -> Bool {
        method == .head || status == 204 || status == 205 || status == 304
            || headers["Content-Length"] == "0"
    }

    /// Whether the length stated for the content is a number, or one number several times (RFC 9112
    /// section 6.3); libcurl takes the last of several, a sign, and for too many digits the connection's
    /// end.
    func hasUsableLength(method: String?) -> Bool {
        guard let text = headers["Content-Length"], headers["Transfer-Encoding"] == nil,
            method != "HEAD", status != 204, status != 304
        else { return true }
        let lengths = Set(
            text.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        )
        guard lengths.count == 1, let length = lengths.first else { return false }
        return Int64(length) != nil && length.utf8.allSatisfy { 48...57 ~= $0 }
    }
}
