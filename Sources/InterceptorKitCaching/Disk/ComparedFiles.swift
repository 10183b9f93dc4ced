import InterceptorKitConcurrency
import Synchronization

/// The files whose whole body this process has compared with its sums, by their nonces.
///
/// It spares a use of a large body a second reading of it; each block is compared again as it is read.
final class ComparedFiles: Sendable {
    // As many as a store keeps by default.
    private static let limit = 1024

    private let nonces = Lock<Set<UInt64>>([])

    func contains(_ nonce: UInt64) -> Bool { nonces.withLock { $0.contains(nonce) } }

    func insert(_ nonce: UInt64) {
        nonces.withLock { nonces in
            if nonces.count >= Self.limit { nonces = [] }
            nonces.insert(nonce)
        }
    }

    func remove(_ nonce: UInt64) { nonces.withLock { _ = $0.remove(nonce) } }
}
