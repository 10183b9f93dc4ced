extension HTTP {
    /// A machine-readable description of a failure (RFC 9457).
    public struct ProblemDetails: Sendable, Hashable {
        /// The identifier of the problem type, made absolute if the request's URL is known; `about:blank` if there is
        /// none.
        public let type: String
        /// The summary of the type, for people.
        public let title: String?
        /// The status in the details. It is advisory: the response's own status counts.
        public let status: Int?
        /// The description of this occurrence, for people.
        public let detail: String?
        /// The identifier of this occurrence, made absolute if the request's URL is known.
        public let instance: String?
        /// The members beyond the standard ones.
        public let extensions: [String: JSONValue]

        // Section 3.1 ignores members of the wrong type, and section 3.1.1 resolves references against the request's URL.
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
}

extension HTTP.ProblemDetails: CustomStringConvertible {
    /// The type and the service's text, with anything that looks like a secret redacted.
    public var description: String {
        let words = (detail ?? title).map { ": " + Redaction.standard.text($0) }
        return Redaction.standard.url(type) + (words ?? "")
    }
}

extension HTTP.ProblemDetails: CustomReflectable {
    /// The description, so that `dump` and debuggers show no more.
    public var customMirror: Mirror { Mirror(self, children: ["problem": description]) }
}
