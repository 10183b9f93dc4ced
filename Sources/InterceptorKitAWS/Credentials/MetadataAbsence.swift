import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The knowledge that there is no metadata service. A service that has responded before is never taken for absent.
final class MetadataAbsence: Sendable {
    private static let memory: Duration = .seconds(300)

    private enum State {
        case unknown
        case absent(until: Runtime.Instant)
        case present
    }

    private let state = Lock(State.unknown)

    func isKnown(at now: Runtime.Instant) -> Bool {
        state.withLock { state in
            if case .absent(let end) = state { now < end } else { false }
        }
    }

    /// Records that nobody responded.
    /// - Returns: `true` if no response has ever been received.
    func note(at now: Runtime.Instant) -> Bool {
        state.withLock { state in
            if case .present = state { return false }
            state = .absent(until: now.advanced(by: Self.memory))
            return true
        }
    }

    func notePresence() { state.withLock { $0 = .present } }
}
