public import InterceptorKit

extension TokenError.Code {
    /// The provider does not apply here, so a chain tries its next link.
    public static let notConfigured = Self(description: "notConfigured")
    /// No link of the chain applies.
    public static let noCredentials = Self(description: "noCredentials")
    /// A variable, a file or a profile has a value that cannot work.
    public static let invalidConfiguration = Self(description: "invalidConfiguration")
    /// The credential service or process did not answer.
    public static let unavailable = Self(description: "unavailable")
    /// The service refused.
    public static let refused = Self(description: "refused")
    /// The response has no usable credentials.
    public static let malformedResponse = Self(description: "malformedResponse")
    /// The credentials have expired.
    public static let expired = Self(description: "expired")
}

extension TokenError {
    static func notConfigured(_ reason: String) -> TokenError {
        TokenError(.notConfigured, reason)
    }

    static func invalid(_ reason: String) -> TokenError {
        TokenError(.invalidConfiguration, reason)
    }

    /// Returns the line for a tried link: its name, and the reason as a whole sentence.
    static func link(_ name: String, _ reason: String) -> String { "\(name): \(reason)" }

    /// Returns the error of a chain that ends with this error.
    /// - Parameters:
    ///   - name: The link that failed; `nil` if none applies.
    ///   - tried: The links before it.
    func ending(_ name: String?, after tried: [String]) -> TokenError {
        let links = tried + (name.map { [Self.link($0, message)] } ?? [])
        let summary =
            name.map { "The credentials of AWS could not be had from the \($0)." }
            ?? "There are no credentials of AWS here."
        return TokenError(
            name == nil ? .noCredentials : code,
            "\(summary) \(Self.list(links))",
            tried: links
        )
    }

    static func noRegion(after tried: [String]) -> TokenError {
        TokenError(
            .invalidConfiguration,
            "Nothing names the region of AWS. \(list(tried))",
            tried: tried
        )
    }

    private static func list(_ links: [String]) -> String {
        "Tried: " + links.joined(separator: " ")
    }
}
