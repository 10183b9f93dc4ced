#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stream that is given up when its reader has waited for it too long.
///
/// One alarm serves many chunks: when it rings too early, because bytes have come since it was set, it
/// is set again for what is left. The moment it is set for is never too late, because a chunk puts the end
/// of the reader's patience off and never brings it closer.
final class WatchedStream: BodyStream {
    private struct State {
        var patience: BodyPatience
        var waitingSince: Runtime.Instant?
        var alarm: Alarm?
        var failure: TimeoutError?
    }

    private let source: BodySource
    private let call: Call
    private let watcher: String
    private let state: Lock<State>

    init(_ body: OneShotBody, _ limits: BodyLimits, _ call: Call, by watcher: String) {
        source = BodySource(body)
        self.call = call
        self.watcher = watcher
        state = Lock(State(patience: BodyPatience(limits)))
    }

    deinit { putOff() }

    var trailers: HTTP.Headers? { source.trailers }

    nonisolated(nonsending) func next() async throws -> Data? {
        try begin()
        do {
            // An empty chunk is no byte.
            while let chunk = try await source.next() {
                guard !chunk.isEmpty else { continue }
                take(chunk.count)
                return chunk
            }
            putOff()
            return nil
        } catch {
            putOff()
            guard let failure = state.withLock(\.failure), !Task.isCancelled else { throw error }
            throw failure
        }
    }

    func cancel() {
        putOff()
        source.cancel()
    }

    /// Begins to wait, unless there is nothing to wait for any more.
    private func begin() throws {
        let now = call.runtime.now
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.waitingSince = now
            if state.alarm == nil { state.alarm = alarm(at: now.advanced(by: state.patience.rest)) }
        }
    }

    private func take(_ bytes: Int) {
        state.withLock { state in
            guard let since = state.waitingSince.take() else { return }
            state.patience.take(bytes, after: since.duration(to: call.runtime.now))
        }
    }

    private func alarm(at instant: Runtime.Instant) -> Alarm {
        call.runtime.alarm(at: instant, "time limit of a body") { [weak self] in self?.ring() }
    }

    private func ring() {
        let now = call.runtime.now
        let failure = state.withLock { state -> TimeoutError? in
            state.alarm = nil
            guard let since = state.waitingSince else { return nil }
            let end = since.advanced(by: state.patience.rest)
            if end <= now {
                state.failure = state.patience.error
            } else {
                state.alarm = alarm(at: end)
            }
            return state.failure
        }
        guard let failure else { return }
        call.emit(
            .timedOut,
            from: watcher,
            ["limit": .duration(failure.limit), "code": .text(failure.code.description)]
        )
        source.cancel()
    }

    private func putOff() {
        let alarm = state.withLock { state in
            state.waitingSince = nil
            return state.alarm.take()
        }
        alarm?.putOff()
    }
}
