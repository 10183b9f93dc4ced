#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stream that is given up when its reader waits for a byte for too long.
///
/// One alarm serves many chunks: when it rings too early, because bytes have come since it was set, it
/// is set again for what is left.
final class WatchedStream: BodyStream {
    private struct State {
        var waitingSince: Runtime.Instant?
        var alarm: Alarm?
        var hasStalled = false
    }

    private let source: BodySource
    private let limit: Duration
    private let call: Call
    private let state = Lock(State())

    init(_ body: OneShotBody, _ limit: Duration, _ call: Call) {
        source = BodySource(body)
        self.limit = limit
        self.call = call
    }

    deinit { putOff() }

    var trailers: HTTP.Headers? { source.trailers }

    nonisolated(nonsending) func next() async throws -> Data? {
        guard begin() else { throw TimeoutError(.bodyIdle, limit: limit) }
        do {
            // An empty chunk is no byte.
            while let chunk = try await source.next() {
                guard !chunk.isEmpty else { continue }
                state.withLock { $0.waitingSince = nil }
                return chunk
            }
            putOff()
            return nil
        } catch {
            putOff()
            guard state.withLock(\.hasStalled), !Task.isCancelled else { throw error }
            throw TimeoutError(.bodyIdle, limit: limit)
        }
    }

    func cancel() {
        putOff()
        source.cancel()
    }

    /// Whether there is still something to wait for.
    private func begin() -> Bool {
        let now = call.runtime.now
        return state.withLock { state in
            if state.hasStalled { return false }
            state.waitingSince = now
            if state.alarm == nil { state.alarm = alarm(after: now) }
            return true
        }
    }

    private func alarm(after instant: Runtime.Instant) -> Alarm {
        call.runtime.alarm(at: instant.advanced(by: limit), "time limit of a body") { [weak self] in
            self?.ring()
        }
    }

    private func ring() {
        let now = call.runtime.now
        let hasStalled = state.withLock { state in
            state.alarm = nil
            guard let since = state.waitingSince else { return false }
            state.hasStalled = since.advanced(by: limit) <= now
            if !state.hasStalled { state.alarm = alarm(after: since) }
            return state.hasStalled
        }
        guard hasStalled else { return }
        call.emit(
            .timedOut,
            from: "BodyTimeoutInterceptor",
            ["limit": .duration(limit), "code": .text("bodyIdle")]
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
