#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Headers {
    /// The media type of the content in lower case, without its parameters (RFC 9110 section 8.3.1); `nil`
    /// without a `Content-Type`.
    public var mediaType: String? {
        self["Content-Type"].map {
            HTTP.FieldSyntax.trimmed(String($0.beginning(before: ";"))).lowercased()
        }
    }
}

extension HTTP.Response {
    // RFC 6839: application/json and every type with a +json suffix.
    var hasJSONBody: Bool {
        guard let type = headers.mediaType else { return false }
        return type == "application/json" || type.ends(with: "+json")
    }
}

extension HTTP.Body.Beginning {
    /// The whole body as JSON; `nil` if it isn't JSON or is longer.
    var json: JSONValue? {
        guard let whole, !Self.hasTrailingComma(whole) else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: whole)
    }

    // Foundation's decoder lets a comma pass that nothing follows; RFC 8259 does not.
    private static func hasTrailingComma(_ text: Data) -> Bool {
        var isQuoted = false
        var previous: UInt8 = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                continue
            case UInt8(ascii: "\"") where previous != UInt8(ascii: "\\"): isQuoted.toggle()
            case UInt8(ascii: "\\") where previous == UInt8(ascii: "\\"):
                previous = 0
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if !isQuoted && previous == UInt8(ascii: ",") { return true }
            default: break
            }
            previous = byte
        }
        return false
    }
}
