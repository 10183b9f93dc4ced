import Foundation

extension Foundation.URL {
    /// The same URL in the form that Foundation on Linux can send: it needs the scheme in lower case and, up to Swift
    /// 6.4, refuses the brackets of an IPv6 address unless they are percent-encoded.
    var forURLSession: Foundation.URL {
        #if canImport(FoundationNetworking)
        var text = absoluteString
        if let scheme, scheme != scheme.lowercased() {
            text = scheme.lowercased() + text.dropFirst(scheme.count)
        }
        #if compiler(<6.5)
        if host?.contains(":") == true, let start = text.firstIndex(of: "["),
            let end = text.firstIndex(of: "]")
        {
            let escaped: [Unicode.Scalar: String] = ["[": "%5B", "]": "%5D", ":": "%3A"]
            let address = text[start...end].unicodeScalars.map { escaped[$0] ?? String($0) }
            text.replaceSubrange(start...end, with: address.joined())
        }
        #endif
        return Foundation.URL(string: text, encodingInvalidCharacters: false) ?? self
        #else
        return self
        #endif
    }
}
