import InterceptorKit

extension CurlTransport.Settings {
    func validate() throws(SettingError) {
        let check = SettingCheck(of: "CurlTransport.Settings")
        try check.positive("maximumConnectionsPerHost", maximumConnectionsPerHost)
        try check.positive("maximumConnections", maximumConnections)
        try check.positive("connectTimeout", connectTimeout)
        try check.positive("idleTimeout", idleTimeout)
        try check.notNegative("nameCacheDuration", nameCacheDuration)
        try check.positive("bufferedBytes", bufferedBytes)
        let hasProxy = proxy.kind != .address || !proxy.address.isEmpty
        try check.require(
            hasProxy,
            "proxy",
            "empty",
            "an address like http://proxy.example.com:3128"
        )
        try tls.pins.validate()
        try check.require(unixSocketPath != "", "unixSocketPath", "empty", "a path")
        for text in resolvedNames + options.compactMap(\.text) + [proxy.address] {
            try check.require(
                !text.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 },
                "resolvedNames, options or proxy",
                "a text with a line break or NUL",
                "without one"
            )
        }
    }
}

extension SettingError {
    init(curl name: String, is value: String, mustBe rule: String) {
        self.init("CurlTransport.Settings.\(name)", is: value, mustBe: rule)
    }
}

extension CurlTransport.Option {
    fileprivate var text: String? { if case .text(let text) = value { text } else { nil } }
}

extension Duration {
    /// The duration in milliseconds, from 1 to the most that libcurl counts on every platform.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    var wholeSeconds: Int { Int(min(components.seconds, 2_000_000)) }
}
