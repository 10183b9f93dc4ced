import InterceptorKit
import Synchronization

/// What becomes of the calls of a run.
final class Tally: Sendable {
    struct Entry: Sendable {
        var began = 0.0
        var firstSend: Double?
        /// When its response's head came, or its failure.
        var answered: Double?
        /// Whether it was answered with 200, and its body came too.
        var isSuccess = false
        /// Whether it is of a ``CallClass``, and so depends on no other call.
        var isIndependent = false
        /// Whether the call failed by a decision of its client, and not of the service.
        var isTurnedAway = false
    }

    private struct State {
        var entries: [Entry]
        var sends: [Double] = []
    }

    private let state: Mutex<State>

    init(calls: Int) { state = Mutex(State(entries: Array(repeating: Entry(), count: calls))) }

    var entries: [Entry] { state.withLock { $0.entries } }
    /// When requests reached the service.
    var sends: [Double] { state.withLock { $0.sends } }

    func countSend(of call: Int, at time: Double) {
        state.withLock { state in
            state.sends.append(time)
            if state.entries[call].firstSend == nil { state.entries[call].firstSend = time }
        }
    }

    func begin(_ call: Int, at time: Double, isIndependent: Bool) {
        state.withLock { state in
            state.entries[call].began = time
            state.entries[call].isIndependent = isIndependent
        }
    }

    /// Notes the end of a call.
    /// - Parameter isRead: Whether its body came too.
    func end(
        _ call: Int,
        at time: Double,
        _ result: Result<HTTP.Response, any Error>,
        isRead: Bool
    ) {
        state.withLock { state in
            state.entries[call].answered = time
            switch result {
            case .success(let response):
                state.entries[call].isSuccess = response.status == .ok && isRead
            case .failure(let error):
                state.entries[call].isTurnedAway =
                    error is LimitError || error is CircuitBreakerError || error is SendRateError
            }
        }
    }
}

extension Tally.Entry {
    /// Whether the call succeeded, and was answered within its time.
    func isInTime(_ limits: TimeLimits) -> Bool {
        isSuccess && (answered ?? .infinity) - began <= limits.call + 1e-9
    }
}
