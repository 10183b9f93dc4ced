package import InterceptorKit

/// A proxy's refusal of a tunnel to the host, which only libcurl's error text reports.
package struct TunnelRefusal {
    /// The status of the proxy's response to CONNECT; `nil` if it ended the connection.
    private let status: Int?

    /// Creates a refusal from an error text; `nil` for other errors.
    package init?(_ text: String) {
        // "CONNECT tunnel failed, response 403"; before 7.87 "Received HTTP code 403 from proxy after CONNECT". A host
        // may be called CONNECT, too.
        let phrases = [
            "CONNECT tunnel failed", "from proxy after CONNECT", "Proxy CONNECT aborted",
        ]
        guard phrases.contains(where: { text.contains($0) }) else { return nil }
        let numbers = text.utf8.split { !(0x30...0x39).contains($0) }
        status = numbers.lazy.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
            .first { (100...599).contains($0) }
        guard status != nil || text.contains("Proxy CONNECT aborted") else { return nil }
    }

    /// Whether the next try is likely to be refused again.
    private var isFinal: Bool {
        guard let status else { return false }
        return (400...499).contains(status) && ![408, 425, 429].contains(status)
    }

    package func error(
        host: String,
        isUnsent: Bool,
        cause: any Error
    ) -> TransportError {
        let what =
            status.map { "answered CONNECT with \($0)" } ?? "ended the connection at CONNECT"
        return TransportError(
            isFinal ? .proxyRefused : .cannotConnect,
            "The proxy \(what), so no connection could be made to \(host)."
                + (isUnsent ? " Nothing was sent to it." : ""),
            isUnsent: isUnsent,
            cause: cause
        )
    }
}
