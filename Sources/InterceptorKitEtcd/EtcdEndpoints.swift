public import InterceptorKit
public import InterceptorKitLoadBalancing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A source for `LoadBalancer.follow(_:runtime:events:)`: the endpoints that servers register in etcd.
///
/// ```swift
/// let orders = try EtcdEndpoints(
///     "services/orders/",
///     of: ["https://etcd-1.example.com:2379", "https://etcd-2.example.com:2379"],
///     pipeline: try Pipeline(transport: transport) {}
/// )
/// let balancer = LoadBalancer([], origins: ["https://a.example.com", "https://b.example.com"])
/// try await balancer.follow(orders)
/// ```
///
/// The source reads all keys with the prefix, so end it with a slash. A value is a base URL as text, or JSON with an
/// optional weight and priority:
///
/// ```json
/// {"url": "https://a.example.com/v1", "weight": 2, "priority": 0}
/// ```
///
/// Values in other forms and invalid endpoints are skipped. Let each server put its key with a lease that it keeps
/// alive: a server that dies leaves the set when its lease ends. etcd's response with all keys and values may have at
/// most 1 MiB, enough for thousands of endpoints.
///
/// The sequence gives the first set, even if it is empty, and then each set that differs from the one before. A watch
/// reports changes. Every 5 minutes the keys are read again and a new watch begins, which detects a silently lost
/// connection. If a watch breaks or the cluster cannot be reached, the sequence throws a `StoreError`. To
/// continue, iterate it again, as `follow` does, which keeps the last set meanwhile.
public struct EtcdEndpoints: AsyncSequence, Sendable {
    public typealias Element = [ServiceEndpoint]

    private static let watchTime: Duration = .seconds(300)
    /// Combines changes that come together, such as when a whole service restarts and many clients read the keys.
    private static let pause: Duration = .milliseconds(100)

    private let gateway: EtcdGateway
    private let range: EtcdRange

    /// Creates a source.
    /// - Parameters:
    ///   - prefix: The prefix of the keys.
    ///   - members: The members of the cluster. If one cannot be reached, the next is asked.
    ///   - pipeline: The chain for the requests, with TLS and access control as needed, without an error filter and
    ///     without a limit for bodies: a watch is one long response.
    ///   - timeout: The longest time for a request to one member. Defaults to 5 s.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    /// - Throws: `SettingError` for invalid settings.
    public init(
        _ prefix: String,
        of members: [HTTP.URL],
        pipeline: Pipeline<HTTP.Request>,
        timeout: Duration = .seconds(5),
        runtime: Runtime = .live
    ) throws(SettingError) {
        gateway = try EtcdGateway(
            of: "EtcdEndpoints",
            members: members,
            prefix: prefix,
            pipeline: pipeline,
            timeout: timeout,
            runtime: runtime
        )
        range = EtcdRange(prefix: prefix)
    }

    /// Waits for the next set.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: EtcdEndpoints
        private var revision: EtcdNumber?
        private var last: [ServiceEndpoint]?

        fileprivate init(_ source: EtcdEndpoints) { self.source = source }

        /// Returns the set of endpoints, once it differs from the one before; never `nil`.
        /// - Throws: `StoreError`, or `CancellationError`.
        public mutating func next() async throws -> [ServiceEndpoint]? {
            while true {
                if let revision { try await source.waitForChange(after: revision) }
                let (set, revision) = try await source.read()
                self.revision = revision
                guard set != last else { continue }
                last = set
                return set
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    private func read() async throws -> ([ServiceEndpoint], EtcdNumber) {
        let response = try await gateway.transact(EtcdTransaction(success: [.range(range)]))
        let entries = response.responses?.first?.range?.kvs ?? []
        let endpoints = entries.compactMap { ServiceEndpoint(etcdValue: $0.value ?? Data()) }
        return (endpoints, response.header.revision)
    }

    private func waitForChange(after revision: EtcdNumber) async throws {
        try await gateway.waitForChange(of: range, after: revision, atMost: Self.watchTime)
        try await gateway.runtime.sleep(for: Self.pause)
    }
}

extension ServiceEndpoint {
    private struct Value: Decodable {
        var url: String
        var weight: Double?
        var priority: Int?
    }

    /// Parses a base URL as text, or JSON; `nil` if the value is neither or is invalid.
    init?(etcdValue: Data) {
        if let value = try? JSONDecoder().decode(Value.self, from: etcdValue) {
            self.init(
                HTTP.URL(unvalidated: value.url),
                weight: value.weight ?? 1,
                priority: value.priority ?? 0
            )
        } else {
            self.init(HTTP.URL(unvalidated: String(decoding: etcdValue, as: UTF8.self)))
        }
        guard (try? validate()) != nil else { return nil }
    }
}
