import Foundation

extension Foundation.URL {
    /// The same URL as Foundation on Linux can send it: it wants the scheme in lower case and, up to Swift
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
            let address = text[start...end].replacing("[", with: "%5B").replacing("]", with: "%5D")
            text.replaceSubrange(start...end, with: address.replacing(":", with: "%3A"))
        }
        #endif
        return Foundation.URL(string: text, encodingInvalidCharacters: false) ?? self
        #else
        return self
        #endif
    }
}
