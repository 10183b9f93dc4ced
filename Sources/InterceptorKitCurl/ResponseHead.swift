import InterceptorKit

/// A response before its body.
struct ResponseHead: Equatable {
    var status: HTTP.Status
    var headers: HTTP.Headers

    /// Whether the content's length is stated as a number that a length can be, and each time alike
    /// (RFC 9112 section 6.3).
    var hasOneLength: Bool {
        guard let stated = headers["Content-Length"] else { return true }
        if Self.isLength(stated.utf8) { return true }
        let lengths = stated.utf8
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { Array($0.trimmed) }
        return Set(lengths).count == 1 && lengths.allSatisfy(Self.isLength)
    }

    private static func isLength(_ text: some Collection<UInt8>) -> Bool {
        text.allSatisfy { 0x30...0x39 ~= $0 } && Int(String(decoding: text, as: UTF8.self)) != nil
    }

    /// Whether the method and status say that no content follows (RFC 9112 section 6.3).
    func isBodiless(method: HTTP.Method) -> Bool {
        method == .head || status == 204 || status == 304 || headers["Content-Length"] == "0"
    }
}

extension Substring.UTF8View {
    /// Without the blanks around it. Those within it stay.
    fileprivate var trimmed: Substring.UTF8View {
        let blanks = " \t".utf8
        var rest = self
        while let byte = rest.first, blanks.contains(byte) { rest = rest.dropFirst() }
        while let byte = rest.last, blanks.contains(byte) { rest = rest.dropLast() }
        return rest
    }
}
