#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Redaction {
    /// The part of a body that may be shown.
    public enum ShownBody: Sendable, Hashable {
        /// Text with its secrets hidden.
        case text(String)
        /// Bytes that are not UTF-8, with their secrets hidden.
        case binary(Data)
        /// Nothing, because secrets could not be found in the content; the text gives the reason in a whole sentence.
        case withheld(String)
    }

    /// Returns a body with its secrets hidden.
    ///
    /// The values of ``hiddenNames`` are hidden in JSON, forms, XML and almost valid text of these kinds, and so is
    /// everything that ``text(_:)`` hides. All other bytes stay unchanged, except escapes in a JSON string that
    /// contains a secret. Compressed content, UTF-16 text and multipart content with a hidden field are withheld
    /// completely.
    /// - Parameters:
    ///   - bytes: The content.
    /// - mediaType: The content's media type, such as `application/json`. Defaults to none: the type is guessed.
    ///   - contentCoding: The content's coding, such as `gzip`. Defaults to none.
    public func body(
        _ bytes: Data,
        mediaType: String? = nil,
        contentCoding: String? = nil
    ) -> ShownBody {
        let type = mediaType?.lowercased() ?? ""
        let isText = String(validating: bytes, as: UTF8.self) != nil
        if !isText, let contentCoding, contentCoding.lowercased() != "identity" {
            return .withheld("The content is compressed, so no secret could be found in it.")
        }
        let content = Array(bytes)
        if Self.isWide(content, isNamedText: Self.isNamedText(type)) {
            return .withheld("The text is not UTF-8, so no secret could be found in it.")
        }
        if type.begins(with: "multipart/") || Self.isMultipart(content), hasHiddenPart(content) {
            return .withheld("The multipart content has a field whose value is hidden.")
        }
        // An image's bytes are not searched for sentences.
        guard isText || type.isEmpty || Self.isNamedText(type) else { return .binary(bytes) }
        let isForm = type.begins(with: "application/x-www-form-urlencoded")
        let mayBeForm = type.isEmpty || type.begins(with: "text/plain")
        let form =
            isForm || mayBeForm && Self.isForm(content) ? pairs(content[...], depth: 0) : content
        let shown = Data(text(form, depth: 0))
        // Keeps a byte order mark, which Foundation would remove.
        return String(validating: shown, as: UTF8.self).map(ShownBody.text) ?? .binary(shown)
    }

    private static func isNamedText(_ type: String) -> Bool {
        ["text/", "multipart/"].contains(where: type.hasPrefix)
            || ["json", "xml", "form-urlencoded", "javascript"].contains(where: type.contains)
    }

    // Recognises UTF-16 or UTF-32 by its byte order mark, or by zeros between letters, which are valid UTF-8 too.
    private static func isWide(_ bytes: [UInt8], isNamedText: Bool) -> Bool {
        guard let first = bytes.first else { return false }
        if isNamedText, bytes.prefix(4).contains(0) || first >= 0xFE { return true }
        let beginning = bytes.prefix(4)
        guard beginning.count == 4 else { return false }
        return beginning.elementsEqual([first, 0, bytes[2], 0]) && first != 0 && bytes[2] != 0
            || beginning.elementsEqual([0, bytes[1], 0, bytes[3]]) && bytes[1] != 0 && bytes[3] != 0
    }

    private static func isForm(_ bytes: [UInt8]) -> Bool {
        let name = bytes.prefix { $0 != UInt8(ascii: "=") }
        return name.count < bytes.count
            && !name.contains { $0 <= 32 || ":\"'{}<>".utf8.contains($0) }
    }

    private static func isMultipart(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "--".utf8)
            && bytes.prefix(1024).firstRange(of: Array("isposition".utf8)) != nil
    }

    // RFC 7578 section 4.2: each part states its field in a name parameter, quoted or as a token; RFC 8187 allows
    // `name*` with a character set.
    private func hasHiddenPart(_ bytes: [UInt8]) -> Bool {
        let lowered = bytes.map { 65...90 ~= $0 ? $0 | 0x20 : $0 }
        var start = 0
        var count = 0
        while let marker = lowered[start...].firstRange(of: Array("name".utf8)) {
            start = marker.upperBound
            count += 1
            // No form for people has so many fields, and each costs time.
            guard count <= 1000 else { return true }
            let sign = bytes[start...].prefix(4).drop { " *\t".utf8.contains($0) }
            guard sign.first == UInt8(ascii: "=") else { continue }
            let value = bytes[(sign.startIndex + 1)...].drop { " \t".utf8.contains($0) }
            let quoted = value.first == .quote
            let name = value.dropFirst(quoted ? 1 : 0).prefix(SecretNames.nameLimit).prefix {
                quoted ? $0 != .quote && $0 != 10 : !"; \t\r\n".utf8.contains($0)
            }
            if names.visibility(of: name) != .shown { return true }
        }
        return false
    }
}

extension UInt8 {
    static var quote: UInt8 { UInt8(ascii: "\"") }
    static var backslash: UInt8 { UInt8(ascii: "\\") }
}
