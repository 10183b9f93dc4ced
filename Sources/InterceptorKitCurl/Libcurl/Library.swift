import CInterceptorKitCurl
import InterceptorKit

/// The libcurl of this process, with the required features.
struct Library: Sendable {
    let version: String
    private let features: Int
    private let number: UInt32

    init() throws(TransportError) {
        switch ikcurl_load() {
        case IKCURL_LOADED: break
        case IKCURL_MISSING: throw .missingLibcurl
        case IKCURL_TOO_OLD: throw .oldLibcurl
        default: throw .uninitialisedLibcurl
        }
        // Safety: libcurl is loaded, never closed, and its version text is constant.
        let found = unsafe ikcurl_get_version()
        version = unsafe found.text.map { unsafe String(cString: $0) } ?? "unknown"
        features = unsafe Int(found.features)
        number = unsafe found.number
        func has(_ feature: Int) -> Bool { unsafe Int(found.features) & feature != 0 }
        guard has(IKCURL_FEATURE_TLS) else { throw .libcurl(version, without: "TLS") }
        guard has(IKCURL_FEATURE_HTTP2) else { throw .libcurl(version, without: "HTTP/2") }
    }

    /// Whether the second request on a connection without TLS or an upgrade to HTTP/2 fails (7.88).
    var breaksPriorKnowledge: Bool { 0x07_5800..<0x08_0000 ~= number }

    /// Whether libcurl reads nothing over HTTP/2 for a transfer that has its response and still sends. 8.1 has another
    /// implementation of HTTP/2.
    var stopsReadingBeforeStreamEnd: Bool { number < 0x08_0100 }

    var hasUnixSockets: Bool { features & IKCURL_FEATURE_UNIX_SOCKETS != 0 }
}

extension TransportError {
    private static let advice =
        "Install libcurl 7.68 or later with TLS and HTTP/2 (Debian and Ubuntu: libcurl4, Fedora: "
        + "libcurl, Alpine: libcurl), or use another transport. A program that is linked statically with "
        + "musl cannot open it: use AsyncHTTPClientTransport there."

    fileprivate static let missingLibcurl = Self(
        .unsupported,
        "CurlTransport needs libcurl (libcurl.so.4), which is not on this system. \(advice)"
    )
    fileprivate static let oldLibcurl = Self(
        .unsupported,
        "The system's libcurl is older than 7.68. \(advice)"
    )
    fileprivate static let uninitialisedLibcurl = Self(
        .unsupported,
        "The system's libcurl cannot be initialised. \(advice)"
    )

    fileprivate static func libcurl(_ version: String, without feature: String) -> Self {
        Self(
            .unsupported,
            "The system's libcurl \(version) was built without \(feature). \(advice)"
        )
    }
}
