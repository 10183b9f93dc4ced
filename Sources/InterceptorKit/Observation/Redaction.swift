/// Decides what may be shown of a request or response. The one place that does, for every sink.
///
/// Header values are shown by allow-list: a field that is not listed shows its name only. In URLs,
/// user information and the values of listed parameters are hidden; in bodies, the values of listed
/// JSON members and form fields.
public struct Redaction: Sendable {
    /// What stands where a value was hidden.
    public static let placeholder = "██"

    /// Header fields whose values may be shown, in lower case.
    public var shownFields: Set<String>

    /// Header fields whose values are URLs and shown as ``url(_:)`` shows them, in lower case.
    public var urlFields: Set<String>

    /// Query parameters, also of forms and fragments, whose values are hidden, in lower case.
    public var hiddenParameters: Set<String>

    /// Members of JSON objects, and fields of forms, whose values are hidden: in lower case, without
    /// `_` and `-`, so that `accesstoken` stands for `access_token` and `accessToken`.
    public var hiddenMembers: Set<String>

    /// Creates a rule.
    /// - Parameters:
    ///   - shownFields: Header fields whose values may be shown, in lower case.
    ///   - urlFields: Header fields whose values are URLs, in lower case. Defaults to those of
    ///     ``standard``.
    ///   - hiddenParameters: Query parameters whose values are hidden, in lower case.
    ///   - hiddenMembers: JSON members and form fields whose values are hidden, in lower case without
    ///     `_` and `-`. Defaults to those of ``standard``.
    public init(
        shownFields: Set<String>,
        urlFields: Set<String> = Redaction.standardURLFields,
        hiddenParameters: Set<String>,
        hiddenMembers: Set<String> = Redaction.standardHiddenMembers
    ) {
        self.shownFields = shownFields
        self.urlFields = urlFields
        self.hiddenParameters = hiddenParameters
        self.hiddenMembers = hiddenMembers
    }

    /// The fields with the values of unlisted ones hidden.
    /// - Parameters:
    ///   - headers: The fields.
    ///   - names: Fields to hide although they are listed, as the call's
    ///     ``Call/credentialFields``. Defaults to none.
    public func headers(
        _ headers: HTTP.Headers,
        hiding names: [String] = []
    ) -> [(name: String, value: String)] {
        headers.map { field in
            let name = field.name.lowercased()
            guard !names.contains(where: { HTTP.isSameName($0, name) }) else {
                return (field.name, Redaction.placeholder)
            }
            if shownFields.contains(name) { return (field.name, field.value) }
            if urlFields.contains(name) { return (field.name, url(field.value)) }
            return (field.name, Redaction.placeholder)
        }
    }

    /// A URL, or text that should have been one, with its secrets hidden.
    public func url(_ text: String) -> String {
        let front = text.prefix { $0 != "?" && $0 != "#" }
        var shown = hidingUserInformation(in: front)
        var rest = text[front.endIndex...]
        if rest.first == "?" {
            let query = rest.dropFirst().prefix { $0 != "#" }
            shown += "?" + hidingParameters(in: query)
            rest = text[query.endIndex...]
        }
        // Where an implicit grant returns its token (RFC 6749 section 4.2.2).
        if rest.first == "#" { shown += "#" + hidingParameters(in: rest.dropFirst()) }
        return shown
    }

    func isHiddenMember(_ name: String) -> Bool {
        hiddenMembers.contains(name.lowercased().filter { $0 != "_" && $0 != "-" })
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

    private func hidingParameters(in query: Substring) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false)
            .map(hidingParameter).joined(separator: "&")
    }

    private func hidingParameter(_ pair: Substring) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
        let name = HTTP.percentDecoded(pair[..<equals]).lowercased()
        guard hiddenParameters.contains(name) else { return String(pair) }
        return pair[...equals] + Redaction.placeholder
    }
}
