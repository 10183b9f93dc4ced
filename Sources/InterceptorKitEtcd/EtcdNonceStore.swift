public import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSharedState
public import InterceptorKitSigning
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store of used nonces in etcd, so that only one replica of a service accepts a signature, once.
///
/// ```swift
/// let nonces = try EtcdNonceStore(
///     "orders/nonces",
///     of: ["https://etcd-1.example.com:2379", "https://etcd-2.example.com:2379"],
///     pipeline: try Pipeline(transport: transport) {}
/// )
/// let verify = VerifyInterceptor(.hmac(scheme, keys: keys, nonces: nonces))
/// ```
///
/// A nonce is accepted if a transaction created its entry. The entry remains for the time between the two dates that
/// ``note(_:of:until:at:)`` gets, and at most for twice the longest such time, by the cluster's clock: nonces that
/// arrive close together share a lease, so there are few leases.
///
/// **If the cluster cannot be reached, nothing is accepted**: the request fails with a `StoreError`, which is the
/// server's own failure (503), not the caller's (401).
///
/// **If the cluster is restored from a snapshot**, later nonces are missing, and each can be replayed once: accept no
/// requests until their signatures have expired.
public final class EtcdNonceStore: NonceStore {
    /// A lease that nonces share, and the instant until which it has enough time left for a new one.
    private struct SharedLease {
        let id: EtcdNumber
        let time: Duration
        let end: Runtime.Instant
    }

    private let prefix: String
    private let gateway: EtcdGateway
    private let shared = Lock<SharedLease?>(nil)

    /// Creates a store.
    /// - Parameters:
    ///   - prefix: The prefix of the keys, before a slash and a digest.
    ///   - members: The members of the cluster. If one cannot be reached, the next is asked.
    ///   - pipeline: The chain for the requests, with TLS and access control as needed, without an error filter.
    ///   - timeout: The longest time for a request to one member. Defaults to 500 ms.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    /// - Throws: `SettingError` for invalid settings.
    public init(
        _ prefix: String,
        of members: [HTTP.URL],
        pipeline: Pipeline<HTTP.Request>,
        timeout: Duration = .milliseconds(500),
        runtime: Runtime = .live
    ) throws(SettingError) {
        gateway = try EtcdGateway(
            of: "EtcdNonceStore",
            members: members,
            prefix: prefix,
            pipeline: pipeline,
            timeout: timeout,
            runtime: runtime
        )
        self.prefix = prefix
    }

    public func note(
        _ nonce: String,
        of keyID: String,
        until expiry: Date,
        at date: Date
    ) async throws -> NonceCheckResult {
        // Only the difference counts, because the replicas' clocks differ.
        let seconds = min(max(1, expiry.timeIntervalSince(date).rounded(.up)), 1_000_000_000)
        let lease = try await lease(ofAtLeast: .seconds(Int64(seconds)))
        let key = Data("\(prefix)/\(Self.name(nonce, keyID))".utf8)
        let mark = Data(gateway.runtime.randomBytes(16))
        let result: EtcdTransaction.Response
        do {
            result = try await gateway.transact(
                EtcdTransaction(
                    compare: [.init(key: key, revision: EtcdNumber(0))],
                    success: [.put(key, mark, lease: lease)],
                    failure: [.range(key)]
                )
            )
        } catch {
            // The cluster may have lost the lease.
            shared.withLock { if $0?.id == lease { $0 = nil } }
            throw error
        }
        if result.succeeded == true { return .fresh }
        // A request whose response was lost may already have created the entry.
        return result.entries.first.flatMap(\.self)?.value == mark ? .fresh : .replayed
    }

    private func lease(ofAtLeast time: Duration) async throws -> EtcdNumber {
        let now = gateway.runtime.now
        if let lease = shared.withLock(\.self), lease.time >= time, now <= lease.end {
            return lease.id
        }
        // Twice the time, so that others can share the lease for the first half, counted from before the request.
        let id = try await gateway.grantLease(ofAtLeast: time * 2)
        let lease = SharedLease(id: id, time: time, end: now.advanced(by: time))
        shared.withLock { $0 = lease }
        return id
    }

    private static func name(_ nonce: String, _ keyID: String) -> String {
        HashAlgorithm.sha256.hash("\(keyID.utf8.count):\(keyID)\(nonce)".utf8).hexadecimal
    }
}

extension EtcdNonceStore: CustomStringConvertible, CustomReflectable {
    /// The store's prefix.
    public var description: String { "EtcdNonceStore(\(prefix))" }

    /// The description, so that `dump` and debuggers show no credential of the pipeline.
    public var customMirror: Mirror { Mirror(self, children: ["store": description]) }
}
