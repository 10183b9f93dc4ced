#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Redaction {
    /// What may be shown of a body.
    public enum ShownBody: Sendable, Hashable {
        /// Text, its secrets hidden.
        case text(String)
        /// Bytes that are not UTF-8, their secrets hidden.
        case binary(Data)
        /// Nothing, because secrets could not be found in it; says why in a whole sentence.
        case withheld(String)
    }

    /// A body with its secrets hidden.
    ///
    /// The values of ``hiddenMembers`` are hidden wherever JSON stands, also inside strings of JSON
    /// and in text that is not quite JSON; in forms, those of ``hiddenParameters`` too. All other
    /// bytes stay as they are. Compressed content, text in UTF-16 and multipart content with a hidden
    /// field are withheld as a whole.
    /// - Parameters:
    ///   - bytes: The content.
    ///   - headers: The message's fields; `Content-Type` and `Content-Encoding` count.
    public func body(_ bytes: Data, of headers: HTTP.Headers) -> ShownBody {
        let type = headers["Content-Type"]?.lowercased() ?? ""
        let isText = String(bytes: bytes, encoding: .utf8) != nil
        if !isText, let coding = headers["Content-Encoding"], coding.lowercased() != "identity" {
            return .withheld("The content is compressed, so no secret could be found in it.")
        }
        if !isText, Self.isNamedText(type), bytes.prefix(4).contains(0) || bytes.first ?? 0 >= 0xFE
        {
            return .withheld("The text is not UTF-8, so no secret could be found in it.")
        }
        if type.hasPrefix("multipart/"), hasHiddenPart(bytes) {
            return .withheld("The multipart content has a field whose value is hidden.")
        }
        let isForm = type.hasPrefix("application/x-www-form-urlencoded")
        var shown = isForm ? bytes : json(bytes)
        // What does not say what it is may be a form.
        if isForm || type.isEmpty || type.hasPrefix("text/plain") { shown = form(shown) }
        return String(bytes: shown, encoding: .utf8).map(ShownBody.text) ?? .binary(shown)
    }

    private static func isNamedText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.contains("json") || type.contains("xml")
            || type.contains("form-urlencoded")
    }

    private func json(_ bytes: Data) -> Data {
        Data(JSONMemberHiding(isHidden: isHiddenMember).hiding(in: Array(bytes)))
    }

    private func form(_ bytes: Data) -> Data {
        let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let shown = pairs.map { pair -> Data in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return Data(pair) }
            let name = HTTP.percentDecoded(String(decoding: pair[..<equals], as: UTF8.self))
            guard hiddenParameters.contains(name.lowercased()) || isHiddenMember(name) else {
                return Data(pair)
            }
            return Data(pair[...equals]) + Data(Redaction.placeholder.utf8)
        }
        return Data(shown.joined(separator: [UInt8(ascii: "&")]))
    }

    // RFC 7578 section 4.2: each part states its field in a name parameter, quoted or as a token.
    private func hasHiddenPart(_ bytes: Data) -> Bool {
        var rest = Array(bytes)[...]
        let marker = Array("name=".utf8)
        while let start = rest.firstRange(of: marker) {
            rest = rest[start.upperBound...]
            let quoted = rest.first == UInt8(ascii: "\"")
            let name = rest.dropFirst(quoted ? 1 : 0).prefix(256).prefix {
                quoted ? $0 != UInt8(ascii: "\"") : !"; \t\r\n".utf8.contains($0)
            }
            let text = HTTP.percentDecoded(String(decoding: name, as: UTF8.self))
            if hiddenParameters.contains(text.lowercased()) || isHiddenMember(text) { return true }
        }
        return false
    }
}
