#if canImport(FoundationNetworking)
import Foundation

/// Runs each operation at once, on the thread that adds it.
///
/// It is a session's delegate queue on Linux, so callbacks run on the queue that all sessions of the process share, in
/// the engine's order. That saves the two thread switches and the operation object that a queue of its own costs for
/// each callback, and a chunk is delivered before the next is read, where an ordinary queue grows without bound. In
/// return, a callback that blocks stalls every session, and one that waits for the engine's queue (as `cancel` does)
/// never returns. Callbacks therefore only lock, note and resume; the only longer work is to write to a temporary file
/// what a slow reader leaves waiting.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: there is no state beyond the superclass's, which is safe.
    override func addOperation(_ operation: Operation) { operation.start() }

    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
