/// What went wrong, in the form servers agree on (RFC 9457).
public struct ProblemDetails: Sendable, Hashable {
    /// Identifies the problem type; `about:blank` if the server named none.
    public let type: String
    /// A summary of the type, for people.
    public let title: String?
    /// The status the server gave it.
    public let status: Int?
    /// What happened this time, for people.
    public let detail: String?
    /// Identifies this occurrence.
    public let instance: String?
    /// Members beyond the standard ones.
    public let extensions: [String: JSONValue]

    // A member of the wrong type is ignored, as section 3.1 asks.
    init?(_ value: JSONValue) {
        guard case .object(var members) = value else { return nil }
        func take(_ name: String) -> String? {
            guard case .string(let text) = members.removeValue(forKey: name) else { return nil }
            return text
        }
        type = take("type") ?? "about:blank"
        title = take("title")
        detail = take("detail")
        instance = take("instance")
        if case .integer(let code) = members.removeValue(forKey: "status") {
            status = code
        } else {
            status = nil
        }
        extensions = members
    }
}
