public import InterceptorKit

/// A source for ``LoadBalancer/follow(_:runtime:events:)``: the changing addresses of a URL's host as endpoints.
///
/// ```swift
/// let balancer = LoadBalancer([], origins: ["https://api.example.com"])
/// try await balancer.follow(DNSEndpoints("https://api.example.com/v1"))
/// ```
///
/// Each endpoint has the unchanged URL, which keeps the `Host` field, the name in TLS and signatures, and an address to
/// connect to. Only `CurlTransport` connects to addresses today.
///
/// The system's resolver (`getaddrinfo`) does not report how long addresses are valid, so the name is looked up again
/// after an interval. It returns the address families that this machine has. Addresses that need the name of an
/// interface, such as `fe80::1%eth0`, are left out.
///
/// The sequence gives the first set, and then each set that differs from the one before. A name without addresses
/// throws ``LoadBalancingError/Code/nameNotResolved``. To continue, iterate the sequence again, as `follow` does, which
/// keeps the last set meanwhile. A cancelled iteration ends at once; a look-up in progress ends by itself.
public struct DNSEndpoints: AsyncSequence, Sendable {
    public typealias Element = [ServiceEndpoint]

    private let url: HTTP.URL
    private let interval: Duration
    private let runtime: Runtime
    private let resolve: @Sendable (_ host: String) async throws -> [String]

    /// Creates a source.
    /// - Parameters:
    ///   - url: The complete base URL. Its port, or the default port of its scheme, applies to each address.
    ///   - interval: The time between two look-ups, in place of the lifetime of a DNS record; more than zero. Defaults
    ///     to 30 s, the shortest interval of gRPC's resolver.
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
        // Sorted, because resolvers return a different order each time.
        return addresses.sorted().map { address in
            ServiceEndpoint(url, address: HTTP.ConnectAddress(host: address, port: origin.port))
        }
    }
}
