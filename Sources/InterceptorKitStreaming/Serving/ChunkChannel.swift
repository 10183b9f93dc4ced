import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A channel of one chunk, between the task that reads a sequence and the reader of a body.
///
/// The reader's request for a chunk becomes a request for an element of the sequence. If a heartbeat comes first, the
/// element is kept for the reader's next request.
final class ChunkChannel: Sendable {
    private struct State {
        var chunk: Data?
        var end: Result<Data?, any Error>?
        var isAsked = false
        var reader: CheckedContinuation<Data?, any Error>?
        var source: CheckedContinuation<Bool, Never>?
        var lastWrite: Runtime.Instant
    }

    private let runtime: Runtime
    private let state: Lock<State>

    /// - Parameters:
    ///   - runtime: The clock of the heartbeats.
    /// - first: The chunk to send before the sequence.
    init(_ runtime: Runtime, first: Data?) {
        self.runtime = runtime
        state = Lock(State(chunk: first, lastWrite: runtime.now))
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        if let ready = takeReady() { return try ready.get() }
        let wait = runtime.beginWait("waits for the next element of a body")
        defer { wait?.end() }
        return try await withCheckedThrowingContinuation { reader in
            let (ready, source) = ask(reader)
            source?.resume(returning: true)
            if let ready { reader.resume(with: ready) }
        }
    }

    /// Waits until an element is wanted; returns `false` after the end.
    nonisolated(nonsending) func isWanted() async -> Bool {
        await withCheckedContinuation { source in
            let isWanted: Bool? = state.withLock { state in
                if state.end != nil { return false }
                if state.isAsked {
                    state.isAsked = false
                    return true
                }
                state.source = source
                return nil
            }
            if let isWanted { source.resume(returning: isWanted) }
        }
    }

    func write(_ chunk: Data) {
        let now = runtime.now
        let reader = state.withLock { state in
            state.isAsked = false
            guard state.end == nil else { return CheckedContinuation<Data?, any Error>?.none }
            guard let reader = state.reader.take() else {
                state.chunk = chunk
                return nil
            }
            state.lastWrite = now
            return reader
        }
        reader?.resume(returning: chunk)
    }

    /// Ends the channel after its pending chunk.
    func finish(_ end: Result<Data?, any Error>) { finish(end, dropsChunk: false) }

    /// Ends the channel at once, from either side.
    func close() { finish(.failure(CancellationError()), dropsChunk: true) }

    private func finish(_ end: Result<Data?, any Error>, dropsChunk: Bool) {
        let (reader, source) = state.withLock { state in
            if state.end == nil || dropsChunk { state.end = end }
            if dropsChunk { state.chunk = nil }
            return (state.reader.take(), state.source.take())
        }
        reader?.resume(with: end)
        source?.resume(returning: false)
    }

    /// Returns the time of the next heartbeat; `nil` after the end.
    func nextHeartbeat(every interval: Duration) -> Runtime.Instant? {
        state.withLock { $0.end == nil ? $0.lastWrite.advanced(by: interval) : nil }
    }

    /// Sends a heartbeat to a reader that has waited for the interval. A reader that does not wait is busy writing.
    func beat(_ comment: Data, every interval: Duration) {
        let now = runtime.now
        let reader = state.withLock { state in
            guard state.lastWrite.advanced(by: interval) <= now else {
                return CheckedContinuation<Data?, any Error>?.none
            }
            state.lastWrite = now
            return state.reader.take()
        }
        reader?.resume(returning: comment)
    }

    private func takeReady() -> Result<Data?, any Error>? {
        let now = runtime.now
        return state.withLock { state in Self.takeReady(&state, at: now) }
    }

    private static func takeReady(
        _ state: inout State,
        at now: Runtime.Instant
    ) -> Result<Data?, any Error>? {
        guard let chunk = state.chunk.take() else { return state.end }
        state.lastWrite = now
        return .success(chunk)
    }

    private func ask(
        _ reader: CheckedContinuation<Data?, any Error>
    ) -> (Result<Data?, any Error>?, CheckedContinuation<Bool, Never>?) {
        let now = runtime.now
        return state.withLock { state in
            if let ready = Self.takeReady(&state, at: now) { return (ready, nil) }
            state.reader = reader
            let source = state.source.take()
            state.isAsked = source == nil
            return (nil, source)
        }
    }
}
