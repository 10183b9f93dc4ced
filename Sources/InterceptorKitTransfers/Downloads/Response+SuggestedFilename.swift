public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Response {
    /// The file name that the server suggests: `filename*` or `filename` of `Content-Disposition` (RFC 6266), or else
    /// the last component of the URL's path; `nil` if neither is a usable name.
    ///
    /// The name is a single path component without `/`, `\`, control characters and leading dots, so that a server
    /// cannot choose a hidden file or a place outside of a folder; everything up to the last `/` or `\` is removed. A
    /// name reserved for a kept part or its record, such as `7.img.partial`, gets the suffix `.download`.
    public var suggestedFilename: String? {
        let disposition = headers["Content-Disposition"].flatMap(Disposition.init)
        let candidates = [
            disposition?.extendedFilename, disposition?.filename,
            request.flatMap { PercentEncoding.decode($0.url.path) },
        ]
        return candidates.lazy.compactMap { $0 }.compactMap(Self.safeName).first
    }

    private static func safeName(_ text: String) -> String? {
        let last = text.unicodeScalars.split(
            omittingEmptySubsequences: false,
            whereSeparator: { $0 == "/" || $0 == "\\" }
        ).last
        guard let last else { return nil }
        let kept = last.filter { $0.properties.generalCategory != .control }.drop { $0 == "." }
        var name = String(String.UnicodeScalarView(kept))
        if DownloadDestination.isReserved(name) { name += ".download" }
        // The limit of common file systems for a path component.
        return name.isEmpty || name.utf8.count > 255 ? nil : name
    }
}

private struct Disposition {
    var filename: String?
    var extendedFilename: String?

    init?(_ field: String) {
        var rest = field.utf8[...]
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return }
        rest = rest[end...]
        while let (name, value) = Self.parameter(&rest) {
            switch name {
            case "filename": filename = filename ?? Self.readable(value)
            case "filename*": extendedFilename = extendedFilename ?? Self.extended(value)
            default: break
            }
        }
    }

    /// Parses the next parameter, `; name=token` or `; name="quoted"`, with optional blanks around each part (section
    /// 2.1 of RFC 2616, on which RFC 6266 is based). A token may contain blanks, because many servers do not quote
    /// them.
    private static func parameter(
        _ rest: inout Substring.UTF8View
    ) -> (name: String, value: String)? {
        let semicolon = UInt8(ascii: ";")
        while !rest.isEmpty {
            rest = rest.drop { $0 == semicolon || isBlank($0) }
            let name = rest.prefix { $0 != semicolon && $0 != UInt8(ascii: "=") }
            rest = rest[name.endIndex...]
            guard rest.popFirst() == UInt8(ascii: "=") else { continue }
            rest = rest.drop(while: isBlank)
            let value = rest.first == UInt8(ascii: "\"") ? quoted(&rest) : nil
            let token = rest.prefix { $0 != semicolon }
            rest = rest[token.endIndex...]
            return (trimmed(name).lowercased(), value ?? trimmed(token))
        }
        return nil
    }

    private static func quoted(_ rest: inout Substring.UTF8View) -> String {
        rest.removeFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        HTTP.FieldSyntax.trimmed(String(Substring(bytes)))
    }

    /// Decodes a name; one that is not UTF-8 is ISO-8859-1 (RFC 6266 appendix C.1).
    private static func readable(_ value: String) -> String {
        let bytes = HTTP.FieldSyntax.bytes(of: value)
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Decodes a value of RFC 8187, `UTF-8'language'percent-encoded`.
    private static func extended(_ value: String) -> String? {
        let parts = value.split(at: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return PercentEncoding.decode(String(parts[2]))
    }
}
