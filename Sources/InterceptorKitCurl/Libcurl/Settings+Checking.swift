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
        try proxy.validate()
        try tls.pins.validate()
        try check.require(unixSocketPath != "", "unixSocketPath", "empty", "a path")
        // libcurl compares them with the name of a request as it is sent.
        try check.require(
            resolvedNames.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } },
            "resolvedNames",
            "a list with a name that is not ASCII",
            "of names in Punycode, as in xn--r8jz45g.jp:443:10.0.0.7"
        )
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

extension CurlTransport.Proxy {
    private static let schemes = [
        "http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h",
    ]

    /// Throws for an address that libcurl would refuse with every request. The error shows none of it, since it may have
    /// a password.
    fileprivate func validate() throws(SettingError) {
        guard kind == .address, let problem else { return }
        throw SettingError(
            curl: "proxy",
            is: problem,
            mustBe: "an address like http://proxy.example.com:3128",
            "The scheme is http, https, socks, socks4, socks4a, socks5 or socks5h; without one it is "
                + "http."
        )
    }

    private var problem: String? {
        if address.isEmpty { return "empty" }
        guard address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            return "an address with a blank or control character"
        }
        var rest = address[...]
        if let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")),
            let afterScheme = address[colon...].rest(after: "://")
        {
            guard Self.schemes.contains(address[..<colon].lowercased()) else {
                return "an address with another scheme"
            }
            rest = afterScheme
        }
        let authority = rest.utf8.prefix { !"/?#".utf8.contains($0) }
        let place =
            authority.split(
                separator: UInt8(ascii: "@"),
                omittingEmptySubsequences: false
            ).last.map { Substring($0) } ?? ""
        return Self.isPlace(place) ? nil : "an address without a host, or with a port that is none"
    }

    /// Whether a text is a host, optionally with a port from 1 to 65535.
    private static func isPlace(_ text: Substring) -> Bool {
        let isBracketed = text.begins(with: "[")
        let end =
            isBracketed
            ? text.utf8.firstIndex(of: UInt8(ascii: "]")).map { text.utf8.index(after: $0) }
            : text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        guard let end, !text[..<end].isEmpty else { return false }
        let rest = text[end...]
        guard !rest.isEmpty else { return true }
        guard let port = rest.rest(after: ":") else { return false }
        return port.utf8.allSatisfy { 0x30...0x39 ~= $0 } && (UInt16(port) ?? 0) > 0
    }
}

extension SettingError {
    init(curl name: String, is value: String, mustBe rule: String, _ advice: String? = nil) {
        self.init("CurlTransport.Settings.\(name)", is: value, mustBe: rule, advice)
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
