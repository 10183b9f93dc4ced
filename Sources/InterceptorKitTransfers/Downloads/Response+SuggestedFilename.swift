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
        let disposition = headers["Content-Disposition"].map(Disposition.init)
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

    init(_ field: String) {
        for (name, value) in HTTP.FieldSyntax.parameters(of: field) {
            switch name {
            case "filename": filename = filename ?? Self.readable(value)
            case "filename*": extendedFilename = extendedFilename ?? Self.extended(value)
            default: break
            }
        }
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
