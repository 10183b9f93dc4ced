#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Response {
    /// Returns the body as text: in the charset of its byte order mark, or else of the `Content-Type`, or else in
    /// UTF-8 (Encoding Standard section 6, as in browsers).
    ///
    /// The names of charsets are those that browsers know, so ISO-8859-1 is read as windows-1252, of which it is a part.
    /// The system's `iconv` reads all but UTF-8, UTF-16, ISO-8859-1 and windows-1252. A body whose charset is not known
    /// is read if it is UTF-8.
    /// - Parameters:
    ///   - repairing: Whether U+FFFD replaces what is not text in the charset. Defaults to `false`, which throws.
    ///   - limit: The largest body accepted, in bytes. Defaults to 16 MiB.
    /// - Throws: ``HTTP/ContentError``: `malformedText` if the body is not text in its charset, `unknownCharset` if
    ///   nothing here reads the charset, `tooLarge`, or `alreadyRead`; or the result of ``onDecodingFailure`` for it.
    public func text(
        repairing: Bool = false,
        upTo limit: Int = HTTP.Body.defaultLimit
    ) async throws -> String {
        let name = headers["Content-Type"].flatMap { type in
            HTTP.FieldSyntax.parameters(of: type).first { $0.name == "charset" }?.value
        }
        return try await read(as: String.self, upTo: limit) {
            try Self.text(of: $0, named: name, repairing: repairing)
        }
    }

    private static func text(
        of bytes: Data,
        named name: String?,
        repairing: Bool
    ) throws(HTTP.ContentError) -> String {
        let label = name.map(CharsetLabel.init)
        let named = label?.charset
        // The mark of UTF-32 begins with that of UTF-16.
        let mark =
            named.map(\.description)?.begins(with: "UTF-32") == true ? nil : Charset.mark(of: bytes)
        let charset = mark?.charset ?? named ?? .utf8
        do throws(Charset.Failure) {
            guard label == nil || mark != nil || named != nil else { throw .unsupported }
            return try charset.text(of: bytes.dropFirst(mark?.length ?? 0), repairing: repairing)
        } catch .malformed {
            throw .malformedText(charset, named: mark == nil ? name : nil, isMarked: mark != nil)
        } catch {
            if repairing { return String(decoding: bytes, as: UTF8.self) }
            guard label?.hidesText != true, let text = String(validating: bytes, as: UTF8.self)
            else { throw .unknownCharset(name ?? charset.description) }
            return text
        }
    }
}

extension HTTP.ContentError {
    fileprivate static func malformedText(_ charset: Charset, named name: String?, isMarked: Bool)
        -> Self
    {
        let reason =
            if isMarked {
                "its byte order mark says"
            } else if let name {
                "its Content-Type says by the name \(HTTP.printable(name))"
            } else {
                "any text whose Content-Type has no charset"
            }
        return Self(
            .malformedText,
            "The body is not text in \(charset), as \(reason). Call text(repairing: true) to have U+FFFD in place of "
                + "what is not, or collect the body for its bytes."
        )
    }

    fileprivate static func unknownCharset(_ name: String) -> Self {
        Self(
            .unknownCharset,
            "The body's charset \(HTTP.printable(name)) is not one that is read here, and the body is not taken for "
                + "UTF-8. Collect the body for its bytes, or call text(repairing: true) to read it as UTF-8."
        )
    }
}
