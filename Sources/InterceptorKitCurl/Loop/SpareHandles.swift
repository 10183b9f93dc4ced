import InterceptorKitConcurrency
import Synchronization

/// Handles that a loop's transfers have left for later ones, apart from its inbox, which the thread locks in every round.
final class SpareHandles: Sendable {
    // Each keeps its buffers, some 100 KiB.
    private static let maximum = 64

    // Nil once the loop takes no more transfers.
    private let handles = Lock<[Easy]?>([])

    func take() -> Easy? { handles.withLock { $0?.popLast() } }

    func keep(_ more: [Easy]) {
        handles.withLock { handles in
            guard let count = handles?.count else { return }
            handles?.append(contentsOf: more.prefix(Self.maximum - count))
        }
    }

    /// Frees the handles, and those that still come.
    func end() { handles.withLock { $0 = nil } }
}
