/// For which origins something is added to requests.
struct OriginScope: Sendable {
    private let origins: [HTTP.Origin]?

    /// - Parameter origins: `nil` means all.
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

    /// Whether a request for the URL is meant.
    /// - Parameter name: Who asks.
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
    /// Requires at least one origin that may receive what the owner adds, and no invalid one.
    package func origins(_ origins: [HTTP.Origin]) throws {
        try require(!origins.isEmpty, "origins", "empty", "a list of at least one origin")
        for origin in origins { try origin.validate() }
    }
}
