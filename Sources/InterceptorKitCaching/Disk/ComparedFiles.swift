import InterceptorKitConcurrency
import Synchronization

/// The nonces of the files that this process has verified as a whole.
///
/// Later uses of a large body skip that first read; each block is still verified when it is read.
final class ComparedFiles: Sendable {
    // The default number of entries of a store.
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
