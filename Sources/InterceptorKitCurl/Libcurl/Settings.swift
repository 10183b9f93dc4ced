import InterceptorKit

extension CurlTransport {
    /// The settings of a ``CurlTransport``.
    public struct Settings: Sendable, Hashable {
        /// The versions of HTTP to use.
        public var version = Version.automatic

        /// The largest number of connections to one host, from 1; further requests wait for a free one. Over HTTP/2
        /// many requests share a connection, except those whose body is sent in pieces: half of the connections, or
        /// more with more than two processors, are reserved for these, and at least one beside those of the others.
        /// Defaults to 64: enough for a server's own concurrency, few enough not to look like an attack.
        public var maximumConnectionsPerHost = 64

        /// The largest number of connections in all, from 1, including those kept open. Defaults to 512, half of the
        /// usual limit on open files.
        public var maximumConnections = 512

        /// The longest time for making a connection, including name lookup and TLS, and for waiting for a free one
        /// (with libcurl from 7.80). Defaults to 30 seconds.
        public var connectTimeout: Duration = .seconds(30)

        /// The longest silence of the server when it is its turn. Time in which the response's reader or the request's
        /// body stream makes the connection wait does not count. Defaults to 60 seconds, as in `URLSession`.
        public var idleTimeout: Duration = .seconds(60)

        /// The largest number of bytes of a response's body, and of a request's body stream, that are held before the
        /// server must wait, from 1. Defaults to 256 KiB.
        public var bufferedBytes = 256 << 10

        /// Whether to request and decode compressed responses if a request has no `Accept-Encoding`. Defaults to
        /// `true`.
        public var decodesResponses = true

        /// The settings for TLS.
        public var tls = TLS()

        /// The proxy. Defaults to `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` in the environment at the time the
        /// transport is created.
        public var proxy = Proxy.environment

        /// The path of a Unix domain socket to connect to instead of the host's address.
        public var unixSocketPath: String?

        /// Fixed addresses for names, as in `api.example.com:443:10.0.0.7`, which take precedence over name servers.
        /// An international name is written in Punycode, as it is sent: `xn--r8jz45g.jp:443:10.0.0.7`.
        public var resolvedNames: [String] = []

        /// The time for which a name's addresses are kept. Defaults to 60 seconds, libcurl's default.
        public var nameCacheDuration: Duration = .seconds(60)

        /// The network interface, address or host name to send from.
        public var interface: String?

        /// libcurl's own options, set last on each transfer, for anything without a setting here.
        public var options: [Option] = []

        /// Creates the default settings.
        public init() {}
    }

    /// The versions of HTTP.
    public struct Version: Sendable, Hashable {
        enum Kind { case automatic, http1, http2PriorKnowledge }

        let kind: Kind

        /// HTTP/2 if TLS negotiates it, HTTP/1.1 otherwise.
        public static let automatic = Version(kind: .automatic)
        /// HTTP/1.1 only.
        public static let http1 = Version(kind: .http1)
        /// HTTP/2 from the first byte, also without TLS (RFC 9113 section 3.3). libcurl 7.88 fails on the next request
        /// of such a connection once it was idle, so with that version none is kept.
        public static let http2PriorKnowledge = Version(kind: .http2PriorKnowledge)
    }

    /// The proxy for connections.
    public struct Proxy: Sendable, Hashable {
        enum Kind: Hashable { case environment, none, address }

        let kind: Kind
        let address: String
        /// The user name for the proxy. Defaults to the one in its address, percent-decoded, if there is one.
        public var user: String?
        /// The password for the proxy. Defaults to the one in its address, percent-decoded, if there is one.
        public var password: String?
        /// Whether an HTTP proxy gets a proof of the password (Digest, RFC 7616) instead of the password (Basic, RFC
        /// 7617). Defaults to `false`.
        ///
        /// With Digest, the proxy is asked for a tunnel for `http` URLs too, because without one a request would be
        /// sent twice. Many proxies refuse tunnels to ports other than 443.
        public var usesDigest = false
        /// The hosts to connect to directly. Defaults to `no_proxy`, or else `NO_PROXY`, in the environment at the time
        /// the transport is created.
        ///
        /// An entry is a name, including its subdomains, optionally with `.` or `*.` before it; an IP address; a
        /// network such as `10.0.0.0/8` or `fd00::/8`; or `*` for every host. `h.example:8080` and `[::1]:80` apply to
        /// one port.
        public var exceptions: [String] = []

        /// The proxy settings of the environment.
        public static let environment = Proxy(kind: .environment, address: "")
        /// No proxy, whatever the environment says.
        public static let none = Proxy(kind: .none, address: "")
        /// Returns a proxy at an address: `http://host:port`, `https://…`, `socks://…` (which is `socks4`), `socks4://…`,
        /// `socks4a://…`, `socks5://…` or `socks5h://…`, or `host:port`, which is `http`; optionally with
        /// `user:password@` before the host. Creating a transport with any other address fails. With `socks4a` and
        /// `socks5h` the proxy resolves names. Without a port it is 1080, also for `http`; for `https` it is 443.
        public static func address(_ address: String) -> Proxy {
            Proxy(kind: .address, address: address)
        }

        private init(kind: Kind, address: String) {
            self.kind = kind
            self.address = address
        }
    }

    /// One of libcurl's own options (see curl_easy_setopt(3)), by its number.
    public struct Option: Sendable, Hashable {
        enum Value: Hashable { case number(Int), text(String) }

        /// The number of the `CURLOPT_…` constant.
        public let number: Int
        let value: Value

        /// Returns an option that takes a `long` or a `curl_off_t`.
        public static func number(_ option: Int, _ value: Int) -> Option {
            Option(number: option, value: .number(value))
        }

        /// Returns an option that takes a string, which libcurl copies. Needs libcurl 7.73, which can tell whether the
        /// option takes one.
        public static func text(_ option: Int, _ value: String) -> Option {
            Option(number: option, value: .text(value))
        }
    }
}

extension CurlTransport.Option: CustomStringConvertible, CustomReflectable {
    /// The option's number, never its value, which may be a secret.
    public var description: String { "option \(number)" }

    /// The number, so that `dump` and debuggers do not show the value.
    public var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}

extension CurlTransport.Proxy: CustomStringConvertible, CustomReflectable {
    /// The kind of proxy, never its credentials.
    public var description: String {
        switch kind {
        case .environment: "the environment's proxy"
        case .none: "no proxy"
        case .address: "a proxy"
        }
    }

    /// The kind, so that `dump` and debuggers do not show credentials.
    public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}
