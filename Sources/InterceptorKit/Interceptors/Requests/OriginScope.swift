/// The origins whose requests an interceptor adds to.
struct OriginScope: Sendable {
    private let origins: [HTTP.Origin]?

    /// - Parameter origins: The origins; `nil` means all.
    init(_ origins: [HTTP.Origin]?) { self.origins = origins }

    func validate() throws {
        guard let origins else { return }
        guard !origins.isEmpty else {
            throw HTTP.RequestError(
                .foreignOrigin,
                "The list of origins is empty, so nothing would ever be added. Name an origin, or leave the "
                    + "list out for all."
            )
        }
        for origin in origins { try origin.validate() }
    }

    /// Returns whether a request for the URL is in scope.
    /// - Parameter name: The interceptor's name, for the error.
    func includes(_ url: HTTP.URL, for name: String) throws -> Bool {
        guard let origins else { return true }
        guard let origin = url.origin else {
            throw HTTP.RequestError(
                .invalidURL,
                "\(name) adds to requests for certain origins alone, and that for \(url) has none yet. Put "
                    + "it after the interceptor that completes URLs."
            )
        }
        return origins.contains(origin)
    }
}

extension SettingCheck {
    /// Requires a list of at least one origin, without invalid ones.
    package func origins(_ origins: [HTTP.Origin]) throws {
        try require(!origins.isEmpty, "origins", "empty", "a list of at least one origin")
        for origin in origins { try origin.validate() }
    }
}
