import CInterceptorKitCurl
import InterceptorKit

/// The settings in libcurl's terms that all transfers of a transport share.
///
/// It holds the memory that libcurl reads in place, so it must outlive every handle that it was applied to: the loop
/// owns both it and the handles.
final class Configuration: Sendable {
    let settings: CurlTransport.Settings
    let library: Library
    let proxies: Proxies
    private let resolvedNames: FieldList?
    private let authorities: PinnedBytes?
    private let clientCertificate: PinnedBytes?
    private let clientKey: PinnedBytes?

    /// Whether libcurl's verbose output belongs to the transport, rather than to an option of the user.
    var ownsVerboseOutput: Bool { !settings.options.contains { $0.number == IKCURL_OPT_VERBOSE } }
    var bufferLimit: Int { settings.bufferedBytes }
    var idleTimeout: Duration { settings.idleTimeout }

    // As large as one round's handover may be without holding much; libcurl delivers 16 KiB at a time.
    private static let receiveBufferBytes = 64 << 10

    /// - Throws: The error of the library, or of the settings.
    init(_ settings: CurlTransport.Settings) throws {
        library = try Library()
        try settings.validate()
        self.settings = settings
        proxies = Proxies(settings)
        resolvedNames = FieldList(lines: settings.resolvedNames)
        authorities =
            if case .certificates(let pem) = settings.tls.trust.kind { PinnedBytes(pem) } else {
                nil
            }
        clientCertificate = settings.tls.clientCertificate?.certificate.pinned
        clientKey = settings.tls.clientCertificate?.key.pinned
        try check()
    }

    /// - Parameter count: The number of loops that share the connections.
    func apply(to multi: Multi, sharedBy count: Int) {
        // libcurl takes zero for no limit.
        let connections = max(settings.maximumConnections / count, 1)
        let connectionsPerHost = max(settings.maximumConnectionsPerHost / count, 1)
        multi.set(IKCURL_MULTI_MAX_HOST_CONNECTIONS, connectionsPerHost)
        multi.set(IKCURL_MULTI_MAX_TOTAL_CONNECTIONS, connections)
        multi.set(IKCURL_MULTI_MAXCONNECTS, connections)
    }

    func apply(to easy: Easy) throws(CurlError) {
        try easy.keepErrorText()
        try easy.set(IKCURL_OPT_NOSIGNAL, 1)
        try easy.set(IKCURL_OPT_PATH_AS_IS, 1)
        // http and https (CURLPROTO_HTTP and CURLPROTO_HTTPS).
        try easy.set(IKCURL_OPT_PROTOCOLS, 3)
        try easy.set(IKCURL_OPT_HTTP09_ALLOWED, 0)
        try easy.set(IKCURL_OPT_SUPPRESS_CONNECT_HEADERS, 1)
        // A handle refuses this if it kept the buffer of its last transfer, as after some over HTTP/2.
        try? easy.set(IKCURL_OPT_BUFFERSIZE, Self.receiveBufferBytes)
        try easy.set(IKCURL_OPT_CONNECTTIMEOUT_MS, settings.connectTimeout.milliseconds)
        try easy.set(IKCURL_OPT_DNS_CACHE_TIMEOUT, settings.nameCacheDuration.wholeSeconds)
        // Since 7.87: a cancelled transfer does not wait for its name server.
        try? easy.set(IKCURL_OPT_QUICK_EXIT, 1)
        try applyVersion(to: easy)
        try applyRoute(to: easy)
        try applyTLS(to: easy)
    }

    /// Applies the options last, so that they override every setting.
    func applyOptions(to easy: Easy) throws(CurlError) {
        for option in settings.options { try easy.set(option) }
    }

    private func applyVersion(to easy: Easy) throws(CurlError) {
        switch settings.version.kind {
        case .automatic: try easy.set(IKCURL_OPT_HTTP_VERSION, 4)
        case .http1: try easy.set(IKCURL_OPT_HTTP_VERSION, 2)
        case .http2PriorKnowledge:
            try easy.set(IKCURL_OPT_HTTP_VERSION, 5)
            if library.breaksPriorKnowledge { try easy.set(IKCURL_OPT_FORBID_REUSE, 1) }
        }
    }

    private func applyRoute(to easy: Easy) throws(CurlError) {
        let proxy = settings.proxy
        try easy.set(IKCURL_OPT_PROXY, proxies.common)
        if let user = proxy.user { try easy.set(IKCURL_OPT_PROXYUSERNAME, user) }
        if let password = proxy.password { try easy.set(IKCURL_OPT_PROXYPASSWORD, password) }
        if proxy.usesDigest {
            // CURLAUTH_DIGEST.
            try easy.set(IKCURL_OPT_PROXYAUTH, 2)
            try easy.set(IKCURL_OPT_HTTPPROXYTUNNEL, 1)
        }
        // libcurl gets no exceptions, whatever the environment says: this module compares them for each request.
        try easy.set(IKCURL_OPT_NOPROXY, "")
        if let path = settings.unixSocketPath { try easy.set(IKCURL_OPT_UNIX_SOCKET_PATH, path) }
        if let interface = settings.interface { try easy.set(IKCURL_OPT_INTERFACE, interface) }
        // Safety: libcurl reads the list in place, as it does the certificates below. The configuration holds them, and
        // every loop holds its configuration until its handles are freed.
        if let resolvedNames {
            try unsafe easy.set(IKCURL_OPT_RESOLVE, memory: resolvedNames.memory)
        }
    }

    private func applyTLS(to easy: Easy) throws(CurlError) {
        let tls = settings.tls
        try easy.set(IKCURL_OPT_SSLVERSION, tls.minimumVersion.number)
        if case .file(let path) = tls.trust.kind {
            try easy.set(IKCURL_OPT_CAINFO, path)
            try easy.setNull(IKCURL_OPT_CAPATH)
        }
        if let authorities {
            try unsafe easy.set(IKCURL_OPT_CAINFO_BLOB, memory: authorities.memory)
            try easy.setNull(IKCURL_OPT_CAPATH)
        }
        // No key, until a request sets those of its host; a libcurl that has no pins refuses it when the transport is
        // made.
        if !tls.pins.isEmpty { try easy.set(IKCURL_OPT_PINNEDPUBLICKEY, "sha256//") }
        guard let own = tls.clientCertificate else { return }
        if case .file(let path) = own.certificate { try easy.set(IKCURL_OPT_SSLCERT, path) }
        if case .file(let path) = own.key { try easy.set(IKCURL_OPT_SSLKEY, path) }
        if let clientCertificate {
            try unsafe easy.set(IKCURL_OPT_SSLCERT_BLOB, memory: clientCertificate.memory)
        }
        if let clientKey {
            try unsafe easy.set(IKCURL_OPT_SSLKEY_BLOB, memory: clientKey.memory)
        }
        if let password = own.password { try easy.set(IKCURL_OPT_KEYPASSWD, password) }
    }

    /// Sets the keys that the host of one request may have.
    func applyPins(for url: HTTP.URL, to easy: Easy) throws(CurlError) {
        guard !settings.tls.pins.isEmpty else { return }
        let pins = settings.tls.pins.pins(for: url.host ?? "").compactMap {
            $0.rest(after: "sha256/")
        }
        if pins.isEmpty { return try easy.setNull(IKCURL_OPT_PINNEDPUBLICKEY) }
        let text = pins.map { "sha256//\($0)" }.joined(separator: ";")
        try easy.set(IKCURL_OPT_PINNEDPUBLICKEY, text)
    }

    // The settings are tried on a handle of their own, so that an option that this libcurl lacks is found here and not
    // when something is sent.
    private func check() throws {
        if settings.unixSocketPath != nil, !library.hasUnixSockets {
            throw SettingError(
                curl: "unixSocketPath",
                is: "a path",
                mustBe: "nil, as this libcurl does not support Unix sockets"
            )
        }
        guard let easy = Easy() else {
            throw TransportError(.other, "libcurl has no memory for a handle.", isUnsent: true)
        }
        do throws(CurlError) {
            try apply(to: easy)
        } catch {
            throw SettingError(
                "A setting of CurlTransport",
                is: "refused by libcurl \(library.version) (\(error.text))",
                mustBe: "one that it supports"
            )
        }
        for option in settings.options {
            guard option.isSafe else {
                throw SettingError(
                    curl: "options",
                    is: "\(option.number)",
                    mustBe:
                        "an option that libcurl \(library.version) knows and that takes such a value"
                )
            }
            do throws(CurlError) {
                try easy.set(option)
            } catch {
                throw SettingError(
                    curl: "options",
                    is: "\(option.number)",
                    mustBe: "an option that libcurl does not refuse (\(error.text))"
                )
            }
        }
    }
}

extension CurlTransport.ClientCertificate.Source {
    fileprivate var pinned: PinnedBytes? {
        if case .bytes(let data) = self { PinnedBytes(data) } else { nil }
    }
}

extension CurlTransport.Option {
    // libcurl would take a string for an address where it expects one.
    fileprivate var isSafe: Bool {
        let takes = Int(ikcurl_option_takes(Int32(clamping: number)))
        return switch value {
        case .text: takes == IKCURL_TAKES_TEXT
        case .number where takes == -1: number < 10_000 || 30_000..<40_000 ~= number
        case .number:
            [IKCURL_TAKES_LONG, IKCURL_TAKES_VALUES, IKCURL_TAKES_SIZE].contains(takes)
        }
    }
}

extension Easy {
    fileprivate func set(_ option: CurlTransport.Option) throws(CurlError) {
        switch option.value {
        case .text(let text): try set(option.number, text)
        case .number(let number) where option.number >= 30_000:
            try set(option.number, size: number)
        case .number(let number): try set(option.number, number)
        }
    }
}
