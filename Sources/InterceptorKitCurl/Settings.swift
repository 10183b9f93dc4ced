import InterceptorKit

extension CurlTransport {
    /// What can be chosen about a ``CurlTransport``.
    public struct Settings: Sendable, Hashable {
        /// The versions of HTTP to speak.
        public var version = Version.automatic

        /// The connections to one host, from 1; requests beyond wait for a free one. Over HTTP/2 many
        /// requests share one. Defaults to 64: enough for a server's own concurrency, few enough not to
        /// look like an attack.
        public var maximumConnectionsPerHost = 64

        /// The connections in all, from 1, those kept open for later included. Defaults to 512, half of
        /// the usual limit on open files.
        public var maximumConnections = 512

        /// How long a connection may take to be made, name and TLS included, and the wait for a free one.
        /// Defaults to 30 seconds.
        public var connectTimeout: Duration = .seconds(30)

        /// How long the server may be silent when it is its turn. Time in which the response's
        /// reader or the request's body stream keeps the connection waiting does not count. Defaults to
        /// 60 seconds, as `URLSession`'s.
        public var idleTimeout: Duration = .seconds(60)

        /// The bytes of a response's body, and of a request's body stream, that are held before the
        /// server is made to wait, from 1. Defaults to 256 KiB.
        public var bufferedBytes = 256 << 10

        /// Whether to ask for compressed responses and decode them, where a request has no
        /// `Accept-Encoding` of its own. Defaults to `true`.
        public var decodesResponses = true

        /// How to trust and be trusted.
        public var tls = TLS()

        /// How to reach the world. Defaults to what `http_proxy`, `https_proxy`, `all_proxy` and
        /// `no_proxy` in the environment say.
        public var proxy = Proxy.environment

        /// The path of a Unix domain socket to connect to instead of the host's address.
        public var unixSocketPath: String?

        /// Addresses for names, as in `api.example.com:443:10.0.0.7`, before any name server is asked.
        public var resolvedNames: [String] = []

        /// How long a name's addresses are kept. Defaults to 60 seconds, libcurl's own.
        public var nameCacheDuration: Duration = .seconds(60)

        /// The network interface, address or host name to send from.
        public var interface: String?

        /// libcurl's own options, set last on each transfer: what has no setting here.
        public var options: [Option] = []

        /// Creates the default settings.
        public init() {}
    }

    /// Versions of HTTP.
    public struct Version: Sendable, Hashable {
        enum Kind { case automatic, http1, http2PriorKnowledge }

        let kind: Kind

        /// HTTP/2 where TLS negotiates it, HTTP/1.1 elsewhere.
        public static let automatic = Version(kind: .automatic)
        /// HTTP/1.1 only.
        public static let http1 = Version(kind: .http1)
        /// HTTP/2 from the first byte, also without TLS (RFC 9113 section 3.3).
        public static let http2PriorKnowledge = Version(kind: .http2PriorKnowledge)
    }

    /// How to reach the world.
    public struct Proxy: Sendable, Hashable {
        enum Kind: Hashable { case environment, none, address }

        let kind: Kind
        let address: String
        /// The name to give to the proxy.
        public var user: String?
        /// The password to give to the proxy.
        public var password: String?
        /// Hosts to reach directly: names, their subdomains included, and addresses.
        public var exceptions: [String] = []

        /// What the environment says.
        public static let environment = Proxy(kind: .environment, address: "")
        /// Directly, whatever the environment says.
        public static let none = Proxy(kind: .none, address: "")
        /// Over a proxy: `http://host:port`, `https://…`, `socks5://…` or `socks5h://…`.
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

        /// `CURLOPT_…` as a number.
        public let number: Int
        let value: Value

        /// An option that takes a `long` or a `curl_off_t`.
        public static func number(_ option: Int, _ value: Int) -> Option {
            Option(number: option, value: .number(value))
        }

        /// An option that takes a string, which libcurl copies. Needs libcurl 7.73, which can say that
        /// the option is one of those.
        public static func text(_ option: Int, _ value: String) -> Option {
            Option(number: option, value: .text(value))
        }
    }
}

extension CurlTransport.Option: CustomStringConvertible, CustomReflectable {
    /// The option's number, never its value, which may be a secret.
    public var description: String { "option \(number)" }

    /// The same, so that `dump` and debuggers do not show the value.
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

    /// The same, so that `dump` and debuggers do not show credentials.
    public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}
