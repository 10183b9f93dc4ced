/// Decides what may be shown of a request or response. The one place that does, for every sink.
///
/// Header values are shown by allow-list: a field that is not listed shows its name only. In URLs,
/// user information and the values of listed query parameters are hidden.
public struct Redaction: Sendable {
    /// What stands where a value was hidden.
    public static let placeholder = "██"

    /// Header fields whose values may be shown, in lower case.
    public var shownFields: Set<String>

    /// Query parameters whose values are hidden, in lower case.
    public var hiddenParameters: Set<String>

    /// Creates a rule.
    /// - Parameters:
    ///   - shownFields: Header fields whose values may be shown, in lower case.
    ///   - hiddenParameters: Query parameters whose values are hidden, in lower case.
    public init(shownFields: Set<String>, hiddenParameters: Set<String>) {
        self.shownFields = shownFields
        self.hiddenParameters = hiddenParameters
    }

    /// The rule used unless another is given.
    ///
    /// Hidden parameters are the seven of the OpenTelemetry HTTP conventions 1.44 and the usual names
    /// of tokens, codes, keys and signatures.
    public static let standard = Redaction(
        shownFields: [
            "accept", "accept-encoding", "accept-language", "age", "allow", "cache-control",
            "connection", "content-encoding", "content-language", "content-length", "content-range",
            "content-type", "date", "etag", "expires", "host", "if-modified-since", "if-none-match",
            "last-modified", "range", "retry-after", "server", "transfer-encoding", "user-agent",
            "vary", "via",
        ],
        hiddenParameters: [
            "x-amz-signature", "x-amz-credential", "x-amz-security-token", "awsaccesskeyid",
            "signature", "sig", "x-goog-signature", "access_token", "refresh_token", "id_token",
            "token", "code", "client_secret", "secret", "password", "passwd", "api_key", "apikey",
            "key", "sign", "auth",
        ]
    )

    /// The fields with the values of unlisted ones hidden.
    public func headers(_ headers: HTTP.Headers) -> [(name: String, value: String)] {
        headers.map { field in
            let isShown = shownFields.contains(field.name.lowercased())
            return (field.name, isShown ? field.value : Redaction.placeholder)
        }
    }

    /// A URL, or text that should have been one, with its secrets hidden.
    public func url(_ text: String) -> String {
        let front = text.prefix { $0 != "?" && $0 != "#" }
        var shown = hidingUserInformation(in: front)
        let rest = text[front.endIndex...]
        guard rest.first == "?" else { return shown + rest }
        let query = rest.dropFirst().prefix { $0 != "#" }
        shown += "?"
        shown += query.split(separator: "&", omittingEmptySubsequences: false)
            .map(hidingParameter).joined(separator: "&")
        return shown + text[query.endIndex...]
    }

    private func hidingUserInformation(in front: Substring) -> String {
        guard let at = front.lastIndex(of: "@") else { return String(front) }
        var start = front.startIndex
        if let colon = front.firstIndex(of: ":"), front[colon...].hasPrefix("://") {
            start = front.index(colon, offsetBy: 3)
        }
        guard start <= at, !front[start..<at].contains("/") else { return String(front) }
        return front[..<start] + Redaction.placeholder + front[at...]
    }

    private func hidingParameter(_ pair: Substring) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
        let name = HTTP.percentDecoded(pair[..<equals]).lowercased()
        guard hiddenParameters.contains(name) else { return String(pair) }
        return pair[...equals] + Redaction.placeholder
    }
}
