import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The identity of one version of a resource's content, byte for byte.
struct ContentVersion: Hashable, Codable {
    /// `ETag` or `Last-Modified`.
    let field: String
    let validator: String
    let length: Int
    /// The digest of the URL without its query, which may hold a short-lived signature.
    let place: String

    /// The version of a complete response; `nil` if its download cannot be resumed.
    init?(of response: HTTP.Response, to request: HTTP.Request, date: Date) {
        // Only GET has ranges (RFC 9110 section 14.2). Without a length, nobody can tell whether the rest is complete;
        // and coded content, even if decoded on the way, may have other bytes next time.
        guard request.method == .get, response.status == 200, !response.isCoded,
            let length = response.body.length,
            let (field, validator) = response.headers.strongValidator(date: date)
        else { return nil }
        self.field = field
        self.validator = validator
        self.length = length
        place = response.place(for: request)
    }

    /// Whether a response to `If-Range` has this version. It must repeat the validator: a 206 has the same `ETag` as a
    /// 200, but may lack `Last-Modified` (RFC 9110 section 15.3.7).
    func isVersion(of response: HTTP.Response, to request: HTTP.Request) -> Bool {
        let values = response.headers.values(field)
        let mayLack = field != "ETag" && !response.headers.contains("ETag")
        let isNamed = values == [validator] || values.isEmpty && mayLack
        return isNamed && response.place(for: request) == place
    }
}

extension HTTP.Headers {
    /// The strong validator (RFC 9110 section 8.8) and the name of its field; `nil` if there is none.
    func strongValidator(date: Date) -> (field: String, value: String)? {
        let tags = values("ETag")
        // A date must not replace an entity tag that is weak (section 13.1.5).
        guard tags.isEmpty else {
            return tags.count == 1 && HTTP.isStrongEntityTag(tags[0]) ? ("ETag", tags[0]) : nil
        }
        let dates = (modified: values("Last-Modified"), sent: values("Date"))
        guard dates.modified.count == 1, dates.sent.count == 1,
            let modified = HTTP.date(dates.modified[0], now: date),
            let sent = HTTP.date(dates.sent[0], now: date)
        else { return nil }
        // Section 8.8.2.2 requires a difference larger than that between clocks; RFC 7232 named 60 s.
        return sent.timeIntervalSince(modified) >= 60 ? ("Last-Modified", dates.modified[0]) : nil
    }
}

extension HTTP {
    /// Whether the text is a strong entity tag (RFC 9110 section 8.8.3).
    static func isStrongEntityTag(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let quote = UInt8(ascii: "\"")
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != quote }
    }
}

extension HTTP.Response {
    /// Whether the content has a content coding, such as gzip.
    var isCoded: Bool {
        headers.values("Content-Encoding").contains { !HTTP.FieldSyntax.isSameName($0, "identity") }
    }

    fileprivate func place(for request: HTTP.Request) -> String {
        let url = (self.request ?? request).url
        let text = "\(url.origin?.description ?? "")\(url.path)"
        return HTTP.Checksum(of: text.utf8).description
    }
}
