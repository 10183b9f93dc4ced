import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stream that ends when its reader has waited too long.
///
/// One timer serves many chunks: if bytes have arrived since it was set, it fires early and is set again for the
/// remaining time. It is never set too late, because a chunk only postpones the end of the time budget.
final class TimeoutStream: HTTP.BodyStream {
    private struct State {
        var timeBudget: ReadTimeBudget
        var waitingSince: Runtime.Instant?
        var timer: DeadlineTimer?
        var failure: TimeoutError?
    }

    private let source: any HTTP.BodyStream
    private let call: Call
    private let watcher: String
    private let authority: String?
    private let state: Lock<State>

    init(
        _ source: any HTTP.BodyStream,
        _ limits: BodyLimits,
        _ call: Call,
        by watcher: String,
        from authority: String?
    ) {
        self.source = source
        self.call = call
        self.watcher = watcher
        self.authority = authority
        state = Lock(State(timeBudget: ReadTimeBudget(limits)))
    }

    deinit { stopWaiting() }

    nonisolated(nonsending) func next() async throws -> Data? {
        try begin()
        do {
            // An empty chunk contains no byte, and so is no progress.
            while let chunk = try await source.next() {
                guard !chunk.isEmpty else { continue }
                take(chunk.count)
                return chunk
            }
            stopWaiting()
            return nil
        } catch {
            stopWaiting()
            guard let failure = state.withLock(\.failure), !Task.isCancelled else { throw error }
            throw failure
        }
    }

    func cancel() {
        stopWaiting()
        source.cancel()
    }

    /// Begins a wait, unless the stream has timed out.
    private func begin() throws {
        let now = call.runtime.now
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.waitingSince = now
            if state.timer == nil {
                state.timer = timer(at: now.advanced(by: state.timeBudget.rest))
            }
        }
    }

    private func take(_ bytes: Int) {
        state.withLock { state in
            guard let since = state.waitingSince.take() else { return }
            state.timeBudget.take(bytes, after: since.duration(to: call.runtime.now))
        }
    }

    private func timer(at instant: Runtime.Instant) -> DeadlineTimer {
        call.runtime.timer(at: instant, "time limit of a body") { [weak self] in self?.check() }
    }

    private func check() {
        let now = call.runtime.now
        let failure = state.withLock { state -> TimeoutError? in
            state.timer = nil
            guard let since = state.waitingSince else { return nil }
            let end = since.advanced(by: state.timeBudget.rest)
            if end <= now {
                state.failure = state.timeBudget.error(from: authority, source)
            } else {
                state.timer = timer(at: end)
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

    private func source(of code: TimeoutError.Code) -> String {
        switch code {
        case .bodyIdle where call.bodyIdleTimeout != nil: "Call.bodyIdleTimeout"
        case .bodyRate where call.minimumBodyRate != nil: "Call.minimumBodyRate"
        case .bodyTotal where call.totalBodyTimeout != nil: "Call.totalBodyTimeout"
        default: watcher
        }
    }

    private func stopWaiting() {
        let timer = state.withLock { state in
            state.waitingSince = nil
            return state.timer.take()
        }
        timer?.cancel()
    }
}
