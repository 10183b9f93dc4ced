#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Request {
    /// Returns the request as a curl command, safe to paste into a shell and to share.
    ///
    /// The command sends the request as a client does, with the `Content-Type` that the client adds. Secrets are
    /// replaced by `██`. A body that isn't text, is longer than the limit, is a stream or belongs to a `HEAD` is left
    /// out, with a comment; a file is named. `printf` writes a body with control characters, such as a form with files,
    /// and `tail` and `head` cut out a part of a file. If the request has no `Accept` or `User-Agent`, curl adds its
    /// own, as some engines do.
    ///
    /// All words are quoted for POSIX shells, and curl's own URL patterns are off.
    /// - Parameters:
    ///   - redaction: The redaction. Defaults to ``Redaction/standard``.
    /// - credentialFields: Fields to hide even if the redaction shows them, such as ``Call/credentialFields``. Defaults
    ///   to none.
    /// - limit: The largest written body, in bytes. Defaults to 64 KiB.
    public func curlCommand(
        redaction: Redaction = .standard,
        hiding credentialFields: [String] = [],
        bodyLimit limit: Int = 64 << 10
    ) -> String {
        let sent = content(redaction, limit)
        var words = ["curl", "--globoff", "--path-as-is"]
        switch method {
        case .head: words.append("--head")
        case .get where sent == nil: break
        default: words += ["--request", ShellWord.line(method.rawValue)]
        }
        words += ["--url", ShellWord.line(redaction.url(url.normalized.text))]
        if url.query?.isEmpty == true {
            // Newer versions of curl remove an empty query's `?`.
            words += ["--request-target", ShellWord.line(redaction.url(url.requestTarget))]
        }
        for field in redaction.headers(sentHeaders, hiding: credentialFields) {
            // curl's syntax for a field without a value.
            let text = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            words += ["--header", ShellWord.line(text)]
        }
        // curl waits for a 100 before content of this size, but some servers never send one.
        if body.length ?? .max >= 1 << 20, !headers.contains("Expect") {
            words += ["--header", "'Expect:'"]
        }
        let command = (words + (sent?.words ?? [])).joined(separator: " ")
        let comment = sent?.comment.map { " # " + $0.replacingControls { _ in false } }
        return (sent?.source ?? "") + command + (comment ?? "")
    }

    // Includes the client's fields, but not the length, which curl states itself.
    private var sentHeaders: HTTP.Headers {
        var headers = withContentType.headers
        if !body.isEmpty {
            headers["Content-Length"] = nil
        } else if [.post, .put, .patch].contains(method) {
            // curl sends no length for empty content (RFC 9110 section 8.6).
            headers.setIfAbsent(name: "Content-Length", value: "0")
        }
        return headers
    }

    private func content(_ redaction: Redaction, _ limit: Int) -> CurlContent? {
        if body.isEmpty { return nil }
        if method == .head { return .leftOut("without its body, which curl sends with no HEAD") }
        if let file = body.file {
            guard !file.path.unicodeScalars.contains(where: \.isControl) else {
                return .leftOut("without its body: a file whose name has control characters")
            }
            return .file(file)
        }
        guard let bytes = body.inMemory else { return .leftOut("without its body: \(body)") }
        let size = "\(bytes.count) bytes"
        guard bytes.count <= limit else { return .leftOut("without its body of \(size)") }
        guard case .text(let text) = redaction.body(bytes, of: headers) else {
            return .leftOut("without its body of \(size) that cannot be shown")
        }
        return .text(text)
    }
}

/// A body in the form that a shell and curl accept.
private enum CurlContent {
    case text(String)
    case file(HTTP.FileRegion)
    case leftOut(String)

    /// The command that pipes the body to curl; `nil` if nothing is piped.
    var source: String? {
        switch self {
        case .text(let text):
            return ShellWord.isPlain(text) ? nil : "printf \(ShellWord.format(text)) | "
        case .file(let file):
            guard let range = file.range else { return nil }
            // `tail` counts from 1.
            let start = UInt(clamping: range.lowerBound) + 1
            return "tail -c +\(start) <\(ShellWord.line(file.path)) | head -c \(range.count) | "
        case .leftOut:
            return nil
        }
    }

    var words: [String] {
        switch self {
        case .text(let text) where ShellWord.isPlain(text): ["--data-raw", ShellWord.lines(text)]
        // `@-` reads standard input.
        case .file(let file) where file.range == nil:
            ["--data-binary", ShellWord.line("@" + (file.path == "-" ? "./-" : file.path))]
        case .text, .file: ["--data-binary", "@-"]
        case .leftOut: []
        }
    }

    var comment: String? { if case .leftOut(let reason) = self { reason } else { nil } }
}
