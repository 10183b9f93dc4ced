public import InterceptorKit

/// The addresses behind the name in a URL, as endpoints, each time that they change: a source for
/// ``LoadBalancer/follow(_:runtime:events:)``.
///
/// ```swift
/// let balancer = LoadBalancer([], origins: ["https://api.example.com"])
/// try await balancer.follow(DNSEndpoints("https://api.example.com/v1"))
/// ```
///
/// Each endpoint has the URL as it is, so the `Host` field, the name in TLS and signatures stay, and the
/// address to connect to. Only `CurlTransport` connects to addresses today.
///
/// The system's resolver (`getaddrinfo`) does not tell how long addresses are valid, so the name is looked up
/// again after an interval. It gives the addresses of the families that this machine has. Addresses that need
/// an interface's name, such as `fe80::1%eth0`, are left out.
///
/// The first set always comes, then only those that differ from the one before. A name that has no address
/// throws ``LoadBalancingError/Code/nameNotResolved``. Iterate the sequence again to go on, as `follow` does,
/// which keeps the last set meanwhile. A cancelled iteration ends at once; the look-up ends by itself.
public struct DNSEndpoints: AsyncSequence, Sendable {
    public typealias Element = [ServiceEndpoint]

    private let url: HTTP.URL
    private let interval: Duration
    private let runtime: Runtime
    private let resolve: @Sendable (_ host: String) async throws -> [String]

    /// Creates a source.
    /// - Parameters:
    ///   - url: The base URL, complete. Its port, or the default port of its scheme, is that of each address.
    ///   - interval: The time between two look-ups, in place of the lifetime of a DNS record; more than
    ///     zero. Defaults to 30 s, the shortest interval of gRPC's resolver.
    ///   - runtime: The clock. Defaults to the live runtime.
    public init(
        _ url: HTTP.URL,
        every interval: Duration = .seconds(30),
        runtime: Runtime = .live
    ) {
        self.init(url, every: interval, runtime: runtime) { try await NameLookup.addresses(of: $0) }
    }

    /// - Parameter resolve: Returns the addresses of a name as text, in any order.
    init(
        _ url: HTTP.URL,
        every interval: Duration,
        runtime: Runtime,
        resolve: @escaping @Sendable (_ host: String) async throws -> [String]
    ) {
        self.url = url
        self.interval = interval
        self.runtime = runtime
        self.resolve = resolve
    }

    /// Waits for the next set.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: DNSEndpoints
        private var last: [ServiceEndpoint]?

        fileprivate init(_ source: DNSEndpoints) { self.source = source }

        /// Returns the set of endpoints, once it differs from the one before; never `nil`.
        /// - Throws: ``LoadBalancingError`` if the name could not be resolved; `RequestError` or `SettingError`
        ///   if the URL or the interval isn't valid; `CancellationError`.
        public mutating func next() async throws -> [ServiceEndpoint]? {
            while true {
                if last != nil { try await source.runtime.sleep(for: source.interval) }
                let set = try await source.endpoints()
                guard set != last else { continue }
                last = set
                return set
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    private func endpoints() async throws -> [ServiceEndpoint] {
        try url.validate()
        try SettingCheck(of: "DNSEndpoints").positive("interval", interval)
        guard let origin = url.origin else { return [] }
        let host = String((origin.host.rest(after: "[") ?? origin.host[...]).beginning(before: "]"))
        let addresses = Set(try await resolve(host))
        guard !addresses.isEmpty else { throw LoadBalancingError.noAddress(of: host) }
        // In one order, because resolvers give another each time.
        return addresses.sorted().map { address in
            ServiceEndpoint(url, address: HTTP.ConnectAddress(host: address, port: origin.port))
        }
    }
}
