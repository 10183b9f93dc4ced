import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response's body that is stored while its caller reads it.
///
/// Only a body that was read to its end and has the stated length is stored. If the store fails, the caller continues
/// to read.
final class StoringStream: HTTP.BodyStream {
    private struct State {
        var writer: (any CacheWriter)?
        var count = 0
    }

    private let base: any HTTP.BodyStream
    private let length: Int?
    private let fetch: CacheFetch
    private let state: Lock<State>
    private let mayCommit: @Sendable () async -> Bool
    private let stored: @Sendable () -> Void
    private let failed: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - length: The length of the complete body in bytes, if known.
    ///   - fetch: The request, which may become outdated before the body is complete.
    ///   - mayCommit: Called at the end; returns whether the response should still be stored.
    ///   - stored: Called after the response is stored.
    ///   - failed: Called if the store fails.
    init(
        _ base: any HTTP.BodyStream,
        length: Int?,
        into writer: any CacheWriter,
        _ fetch: CacheFetch,
        mayCommit: @escaping @Sendable () async -> Bool,
        stored: @escaping @Sendable () -> Void,
        failed: @escaping @Sendable (any Error) -> Void
    ) {
        self.base = base
        self.length = length
        self.fetch = fetch
        self.mayCommit = mayCommit
        self.stored = stored
        self.failed = failed
        state = Lock(State(writer: writer))
    }

    deinit { giveUp() }

    nonisolated(nonsending) func next() async throws -> Data? {
        do {
            guard let chunk = try await base.next() else {
                await finish()
                return nil
            }
            await store(chunk)
            return chunk
        } catch {
            giveUp()
            throw error
        }
    }

    func cancel() {
        giveUp()
        base.cancel()
    }

    private nonisolated(nonsending) func store(_ chunk: Data) async {
        let writer = state.withLock { state in
            state.count += chunk.count
            return state.writer
        }
        guard let writer else { return }
        do {
            try await writer.write(chunk)
        } catch {
            giveUp()
            failed(error)
        }
    }

    private nonisolated(nonsending) func finish() async {
        let (writer, count) = state.withLock { ($0.writer.take(), $0.count) }
        guard let writer else { return }
        guard length == nil || length == count, await mayCommit() else {
            return writer.abandon()
        }
        do {
            let fetch = fetch
            if try await writer.commit(if: { !fetch.isOutdated }) { stored() }
        } catch {
            writer.abandon()
            failed(error)
        }
    }

    private func giveUp() {
        state.withLock { $0.writer.take() }?.abandon()
    }
}
