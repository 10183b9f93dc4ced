#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Request {
    /// Returns the request as a curl command, safe to paste into a shell and to share.
    ///
    /// Everything is quoted for POSIX shells, curl's own URL patterns are off, and secrets are replaced by
    /// `██`. A body that isn't text, is longer than the limit or is a stream is left out, with a comment; a
    /// file is named.
    /// - Parameters:
    ///   - redaction: The redaction. Defaults to ``Redaction/standard``.
    ///   - credentialFields: Fields to hide although the redaction shows them, such as the call's
    ///     ``Call/credentialFields``. Defaults to none.
    ///   - limit: The largest body that is written, in bytes. Defaults to 64 KiB.
    public func curlCommand(
        redaction: Redaction = .standard,
        hiding credentialFields: [String] = [],
        bodyLimit limit: Int = 64 << 10
    ) -> String {
        var words = ["curl", "--globoff", "--path-as-is"]
        var comment: String?
        let sent = content(redaction, limit)
        switch method {
        case .head: words.append("--head")
        case .get where sent == nil: break
        default: words += ["--request", Self.quotedLine(method.rawValue)]
        }
        words += ["--url", Self.quotedLine(redaction.url(url.text))]
        for field in redaction.headers(headers, hiding: credentialFields) {
            // curl's way to write a field without a value.
            let text = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            words += ["--header", Self.quotedLine(text)]
        }
        switch sent {
        case .text(let text)?: words += ["--data-raw", Self.quoted(text)]
        case .file(let path)?: words += ["--data-binary", Self.quotedLine("@\(path)")]
        case .leftOut(let reason)?: comment = reason
        case nil: break
        }
        return words.joined(separator: " ")
            + (comment.map { " # \($0.replacingControls { _ in false })" } ?? "")
    }

    private enum Content {
        case text(String)
        case file(String)
        case leftOut(String)
    }

    private func content(_ redaction: Redaction, _ limit: Int) -> Content? {
        if body.length == 0 { return nil }
        if let file = body.file { return .file(file.path) }
        guard let bytes = body.inMemory else { return .leftOut("without its body: \(body)") }
        let size = "\(bytes.count) bytes"
        guard bytes.count <= limit else { return .leftOut("without its body of \(size)") }
        // No command line can hold a NUL.
        guard !bytes.contains(0), case .text(let text) = redaction.body(bytes, of: headers) else {
            return .leftOut("without its body of \(size) that cannot be shown")
        }
        return .text(text)
    }

    // No field or target has lines, and curl would send a second one as a field of its own.
    private static func quotedLine(_ text: String) -> String {
        quoted(text.replacingControls { $0 == "\t" })
    }

    // Within single quotes nothing means anything but a single quote (POSIX.1-2024, section 2.2.2).
    // A terminal may act on other control characters while they are pasted.
    private static func quoted(_ text: String) -> String {
        var quoted = "'"
        for scalar in text.replacingControls(except: { $0 == "\t" || $0 == "\n" }).unicodeScalars {
            if scalar == "'" { quoted += #"'\''"# } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }
}
