import InterceptorKitConcurrency
import Synchronization

final class CircuitListeners: Sendable {
    private typealias Continuation = AsyncStream<CircuitBreaker.Change>.Continuation

    private struct State {
        var continuations: [Int: Continuation] = [:]
        var lastNumber = 0
    }

    private let state = Lock(State())

    deinit { for listener in current { listener.finish() } }

    func add() -> AsyncStream<CircuitBreaker.Change> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CircuitBreaker.Change.self,
            bufferingPolicy: .bufferingNewest(64)
        )
        let number = state.withLock { state in
            state.lastNumber += 1
            state.continuations[state.lastNumber] = continuation
            return state.lastNumber
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    func notify(_ change: CircuitBreaker.Change) {
        for listener in current { listener.yield(change) }
    }

    private var current: [Continuation] { state.withLock { Array($0.continuations.values) } }

    private func remove(_ number: Int) {
        state.withLock { _ = $0.continuations.removeValue(forKey: number) }
    }
}
