package import InterceptorKit
import InterceptorKitConcurrency
package import InterceptorKitTesting
import Synchronization

/// Answers every request with a status that can be changed, and can hold requests back.
package final class Server: Sendable {
    private struct State {
        var status: HTTP.Status
        var headers: HTTP.Headers
        var gate: Gate?
        var sends = 0
    }

    private let state: Lock<State>

    package init(answering status: HTTP.Status, headers: HTTP.Headers = [:]) {
        state = Lock(State(status: status, headers: headers))
    }

    /// How many requests have come.
    package var sends: Int { state.withLock { $0.sends } }

    package func answer(_ status: HTTP.Status, headers: HTTP.Headers = [:]) {
        state.withLock { ($0.status, $0.headers) = (status, headers) }
    }

    /// Holds those that come from now on.
    package func hold() -> Gate {
        let gate = Gate("server")
        state.withLock { $0.gate = gate }
        return gate
    }

    package var transport: ScriptedTransport<HTTP.Request> {
        ScriptedTransport { [self] _, _ in
            let (response, gate) = state.withLock { state in
                state.sends += 1
                return (HTTP.Response(state.status, headers: state.headers), state.gate)
            }
            if let gate { try await gate.pass() }
            return response
        }
    }
}

/// What a call threw, if it was an error of that type.
package func failure<Failure: Error, Output>(
    of type: Failure.Type,
    _ body: () async throws -> Output
) async -> Failure? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? Failure
    }
}

extension Result where Failure == any Error {
    package var isCancelled: Bool {
        if case .failure(is CancellationError) = self { true } else { false }
    }
}
