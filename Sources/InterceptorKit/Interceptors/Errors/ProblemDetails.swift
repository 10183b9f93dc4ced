/// What went wrong, in the form servers agree on (RFC 9457).
public struct ProblemDetails: Sendable, Hashable {
    /// Identifies the problem type, made absolute where the request's URL is known; `about:blank` if the
    /// server named none.
    public let type: String
    /// A summary of the type, for people.
    public let title: String?
    /// The status the server gave it; that of the response counts.
    public let status: Int?
    /// What happened this time, for people.
    public let detail: String?
    /// Identifies this occurrence, made absolute where the request's URL is known.
    public let instance: String?
    /// Members beyond the standard ones.
    public let extensions: [String: JSONValue]

    // A member of the wrong type is ignored, as section 3.1 asks; references are resolved against the
    // URL of the request (section 3.1.1).
    init?(_ value: JSONValue, base: HTTP.URL?) {
        guard case .object(var members) = value else { return nil }
        func take(_ name: String) -> String? {
            guard case .string(let text) = members.removeValue(forKey: name) else { return nil }
            return text
        }
        func takeReference(_ name: String) -> String? {
            take(name).map { text in
                base.map { HTTP.URL(unvalidated: text).resolved(against: $0).text } ?? text
            }
        }
        type = takeReference("type") ?? "about:blank"
        title = take("title")
        detail = take("detail")
        instance = takeReference("instance")
        if case .integer(let code) = members.removeValue(forKey: "status") {
            status = code
        } else {
            status = nil
        }
        extensions = members
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// The type, and the service's words without what looks like a secret.
    public var description: String {
        let words = (detail ?? title).map { ": " + Redaction.standard.text($0) }
        return Redaction.standard.url(type) + (words ?? "")
    }
}

extension ProblemDetails: CustomReflectable {
    /// The same, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["problem": description]) }
}
