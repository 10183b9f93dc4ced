import Foundation
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking

/// Signals that the engine has delivered everything that it has at hand.
///
/// On Linux all sessions of a process take turns on one serial queue, and a turn delivers a response's head, the part
/// of its body that came with it, and often its end. Waking the waiting code for each of these costs more than the rest
/// of a small exchange, so it is woken at the end of the turn: when an empty session of our own, asked for its tasks,
/// gets its turn.
final class BatchSignal: Sendable {
    private let session: URLSession
    private let waiting = Lock<[@Sendable () -> Void]>([])

    init() {
        session = URLSession(
            configuration: .ephemeral,
            delegate: nil,
            delegateQueue: InlineQueue()
        )
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Runs an action after the present turn. Must be called within one.
    func afterBatch(_ action: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(action)
            return waiting.count == 1
        }
        guard isFirst else { return }
        session.getAllTasks { _ in
            let actions = self.waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for action in actions { action() }
        }
    }
}
#endif
