import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stream that yields one chunk and then stalls, whatever is cancelled, until a requirement ends it.
final class StalledStream: HTTP.BodyStream {
    private struct State {
        var hasBegun = false
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())
    private let stall = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    deinit { end() }

    /// Returns once somebody waits for the second chunk.
    func waitForStall() async {
        for await _ in stall.stream { break }
    }

    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for reader in waiting { reader.resume() }
    }

    func next() async throws -> Data? {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { return Data("x".utf8) }
        await withCheckedContinuation { reader in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append(reader) }
                return state.isOver
            }
            stall.continuation.yield()
            if isOver { reader.resume() }
        }
        return nil
    }

    func cancel() {}
}
