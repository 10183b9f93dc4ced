import InterceptorKit

extension CurlTransport.Settings {
    /// Throws for the first setting that cannot work.
    func validate() throws(CurlTransport.SetupError) {
        try require(maximumConnectionsPerHost >= 1, "maximumConnectionsPerHost", "at least 1")
        try require(maximumConnections >= 1, "maximumConnections", "at least 1")
        try require(connectTimeout > .zero, "connectTimeout", "positive")
        try require(idleTimeout > .zero, "idleTimeout", "positive")
        try require(nameCacheDuration >= .zero, "nameCacheDuration", "not negative")
        try require(bufferedBytes >= 1, "bufferedBytes", "at least 1")
        try require(
            proxy.kind != .address || !proxy.address.isEmpty,
            "proxy",
            "an address like http://proxy.example.com:3128"
        )
        try require(unixSocketPath != "", "unixSocketPath", "a path")
        for text in resolvedNames + options.compactMap(\.text) + [proxy.address] {
            try require(
                !text.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 },
                "A text",
                "without line breaks or NUL"
            )
        }
    }

    private func require(
        _ condition: Bool,
        _ name: String,
        _ rule: String
    ) throws(CurlTransport.SetupError) {
        if !condition { throw .setting(name, "it must be \(rule)") }
    }
}

extension CurlTransport.SetupError {
    static func setting(_ name: String, _ problem: String) -> Self {
        Self(.invalidSetting, "\(name) cannot be used: \(problem).")
    }
}

extension CurlTransport.Option {
    fileprivate var text: String? { if case .text(let text) = value { text } else { nil } }
}

extension Duration {
    /// At least one, and no more than libcurl counts on every platform.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    var wholeSeconds: Int { Int(min(components.seconds, 2_000_000)) }
}
