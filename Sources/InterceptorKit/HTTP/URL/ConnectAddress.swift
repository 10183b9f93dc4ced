extension HTTP {
    /// The address of a server, to connect to in place of a URL's host and port.
    ///
    /// See ``Call/connectAddress``.
    public struct ConnectAddress: Hashable, Sendable, CustomStringConvertible {
        /// An IP address, or a name to resolve, in lower case; an IPv6 address without brackets.
        public let host: String
        /// The port.
        public let port: Int

        /// Creates an address; ``validate()`` checks it.
        /// - Parameters:
        ///   - host: An IP address, or a name to resolve; an IPv6 address with or without brackets.
        ///   - port: The port, from 1 to 65535.
        public init(host: String, port: Int) {
            let isBracketed = host.begins(with: "[") && host.ends(with: "]") && host.holds(":")
            self.host = (isBracketed ? String(host.utf8.dropFirst().dropLast()) ?? host : host)
                .lowercased()
            self.port = port
        }

        /// Host and port, as in `10.0.0.7:8443` and `[::1]:8443`.
        public var description: String {
            host.holds(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }

        /// Throws unless this is an IP address or an ASCII name, with a port from 1 to 65535.
        ///
        /// An IPv6 address with a zone is refused too. Nothing is resolved.
        public func validate() throws(RequestError) {
            let isHost = host.holds(":") ? Self.isIPv6(host) : Self.isName(host)
            guard isHost, 1...65_535 ~= port else {
                throw RequestError(
                    .invalidConnectAddress,
                    "The host \(HTTP.printable(host)) and the port \(port) are not an address to connect "
                        + "to. Write an IP address without a zone, or a name in ASCII, and a port from 1 "
                        + "to 65535."
                )
            }
        }

        // RFC 4291 section 2.2. The whole text is checked, because engines get the address within a longer text.
        static func isIPv6(_ text: String) -> Bool {
            var groups = text.split(at: ":", omittingEmptySubsequences: false)
            // A gap is two colons, even at the beginning or the end.
            if groups.first == "" {
                guard text.begins(with: "::") else { return false }
                groups.removeFirst()
            }
            if groups.last == "" {
                guard text.ends(with: "::") else { return false }
                groups.removeLast()
            }
            let gaps = groups.count { $0.isEmpty }
            var count = groups.count - gaps
            if let last = groups.last, last.holds(".") {
                guard isIPv4(last) else { return false }
                groups.removeLast()
                count += 1
            }
            let isFull = gaps == 0 ? count == 8 : gaps == 1 && count < 8
            return isFull && groups.allSatisfy { $0.utf8.count <= 4 && $0.utf8.allSatisfy(isHex) }
        }

        private static func isIPv4(_ text: Substring) -> Bool {
            let numbers = text.split(at: ".", omittingEmptySubsequences: false)
            return numbers.count == 4
                && numbers.allSatisfy { 1...3 ~= $0.utf8.count && $0.utf8.allSatisfy(isDigit) }
                && numbers.allSatisfy { UInt8($0) != nil }
                // Some programs read 010 as 8.
                && numbers.allSatisfy { $0.utf8.count == 1 || !$0.begins(with: "0") }
        }

        // A host that ends with a number must be an IPv4 address, as in a URL (URL Standard, "host parser").
        private static func isName(_ text: String) -> Bool {
            let last = text.split(at: ".").last ?? ""
            return !text.isEmpty
                && text.utf8.allSatisfy {
                    isDigit($0) || (0x61...0x7A ~= $0) || "-._".utf8.contains($0)
                }
                && (!last.utf8.allSatisfy(isDigit) || isIPv4(text[...]))
        }

        private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

        private static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || 0x61...0x66 ~= byte }
    }
}

// The addresses of one name may respond differently.
private enum ConnectAddressKey: PartitioningCallKey {
    static var defaultValue: HTTP.ConnectAddress? { nil }
}

extension Call {
    /// The address to connect to in place of the URL's host and port; `nil`, the default, resolves the URL's host.
    ///
    /// Only the destination of the connection changes: the URL, `Host`, the TLS server name, the check of the
    /// certificate and signatures keep the URL's host. A server is therefore trusted by its name, whatever its address.
    /// Connections to one address are not used for another. A load balancer sets the address and ``authority`` for each
    /// attempt.
    ///
    /// `CurlTransport` supports it. A proxy is used as for any request, and is asked for a connection to this address;
    /// an HTTP proxy is asked for a tunnel. `URLSessionTransport` and `AsyncHTTPClientTransport` do not support it:
    /// they throw ``TransportError/Code-swift.struct/unsupported`` before anything is sent. Transports that do not
    /// connect, such as `ScriptedTransport`, ignore it.
    ///
    /// An address that a caller sets holds for redirects within the origin and for no others. Such a call is not
    /// coalesced with one to another address, and no cache serves or stores its response.
    public var connectAddress: HTTP.ConnectAddress? {
        get { self[ConnectAddressKey.self] }
        set { self[ConnectAddressKey.self] = newValue }
    }

    /// Throws if the call has an address to connect to, for an engine that does not support it.
    /// - Parameters:
    ///   - engine: The engine, for the message.
    ///   - host: The URL's host, for the message.
    package func refuseConnectAddress(
        over engine: String,
        host: @autoclosure () -> String
    ) throws(TransportError) {
        guard let connectAddress else { return }
        throw TransportError(
            .unsupported,
            "\(engine) connects to a URL's own host only, not to \(connectAddress) in its place; nothing "
                + "was sent to \(host()). Remove the call's connectAddress, or send it over CurlTransport.",
            isUnsent: true
        )
    }
}
