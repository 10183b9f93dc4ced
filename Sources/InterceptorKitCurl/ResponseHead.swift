import InterceptorKit

/// A response before its body.
struct ResponseHead: Equatable {
    var status: HTTP.Status
    var headers: HTTP.Headers

    /// Whether the content's length is stated as a number, and each time alike (RFC 9112 section 6.3).
    var hasOneLength: Bool {
        guard let stated = headers["Content-Length"] else { return true }
        if !stated.isEmpty, stated.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return true }
        let lengths = Set(
            stated.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
                .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        )
        return lengths.count == 1
            && lengths.allSatisfy { !$0.isEmpty && $0.allSatisfy { 0x30...0x39 ~= $0 } }
    }

    /// Whether the method and status say that no content follows (RFC 9112 section 6.3).
    func isBodiless(method: HTTP.Method) -> Bool {
        method == .head || status == 204 || status == 304 || headers["Content-Length"] == "0"
    }
}
