#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

extension String {
    /// The place of a reference's authority: behind `//`, at the beginning or after a scheme.
    var authority: Range<Index>? {
        let front = utf8.prefix { !"/?#".utf8.contains($0) }
        guard front.isEmpty || front.last == UInt8(ascii: ":"),
            utf8[front.endIndex...].starts(with: "//".utf8)
        else { return nil }
        let start = utf8.index(front.endIndex, offsetBy: 2)
        return start..<utf8[start...].prefix { !"/?#".utf8.contains($0) }.endIndex
    }

    /// Returns this URL with its host in Punycode (RFC 3492), as it is resolved, compared and sent; `nil` if the host
    /// is not one of an international name, in UTF-8 or percent-encoded (RFC 3986 section 3.2.2).
    func withPunycodeHost() throws(URLProblem) -> String? {
        guard let authority else { return nil }
        let start = self[authority].utf8.lastIndex(of: UInt8(ascii: "@")).map(utf8.index(after:))
        let host = utf8[(start ?? authority.lowerBound)..<authority.upperBound]
            .prefix { $0 != UInt8(ascii: ":") }
        let decoded = PercentEncoding.decodedBytes(host)
        // Nothing else in ASCII is in a name, and a delimiter would be one in the text that is converted.
        guard decoded.contains(where: { $0 >= 0x80 }),
            decoded.allSatisfy({ $0 >= 0x80 || PercentEncoding.isUnreserved($0) })
        else { return nil }
        let punycode = try punycode(of: decoded)
        return self[..<host.startIndex] + punycode + self[host.endIndex...]
    }
}

/// Returns a name in Punycode as browsers do: UTS #46, non-transitional.
private func punycode(of name: [UInt8]) throws(URLProblem) -> String {
    guard isConverter else { throw .noConverter }
    // Foundation takes time that grows with the square of a label's length. A name has 253 bytes in Punycode (RFC 1035),
    // and so at most as many characters, of four bytes each.
    guard name.count <= 4 * 253, let name = String(validating: name, as: UTF8.self),
        let converted = converted(name), !converted.isEmpty,
        converted.utf8.allSatisfy(PercentEncoding.isUnreserved)
    else { throw .internationalHost }
    return converted
}

/// Whether Foundation converts names: only with its tables of Unicode, which a program without Foundation does not link.
private let isConverter = converted("\u{E9}") == "xn--9ca"

private func converted(_ name: String) -> String? {
    guard let text = URL(string: "http://\(name)/")?.absoluteString,
        let host = text.rest(after: "http://")?.rest(before: "/")
    else { return nil }
    return String(host)
}
