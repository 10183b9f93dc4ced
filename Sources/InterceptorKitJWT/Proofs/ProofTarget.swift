#if JWT
import InterceptorKit

/// The URL that a proof is for, without query and fragment and in one spelling (RFC 3986 sections 6.2.2 and 6.2.3).
struct ProofTarget: Equatable {
    let text: String

    /// `nil` unless the URL is complete.
    init?(_ url: HTTP.URL) {
        guard (try? url.validate()) != nil, let origin = url.originText else { return nil }
        let path = HTTP.removingDotSegments(Self.normalized(url.path))
        text = origin + (path.isEmpty ? "/" : path)
    }

    static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Returns a path in which no unreserved character is escaped, and escapes have upper-case digits.
    private static func normalized(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: "%")) else { return path }
        let bytes = Array(path.utf8)
        var normalized: [UInt8] = []
        normalized.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard let byte = PercentEncoding.escapedByte(in: bytes, at: index) else {
                normalized.append(bytes[index])
                index += 1
                continue
            }
            normalized += Array(PercentEncoding.encode(bytes: [byte]).utf8)
            index += 3
        }
        return String(decoding: normalized, as: UTF8.self)
    }
}
#endif
