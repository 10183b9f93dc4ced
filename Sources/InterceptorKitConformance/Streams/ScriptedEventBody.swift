import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a scripted stream's connection.
final class ScriptedEventBody: HTTP.BodyStream {
    /// Bytes, and the time from which they are available.
    struct Piece: Sendable {
        let time: Duration
        let bytes: Data
    }

    private struct State {
        var pieces: ArraySlice<Piece>
        var isOpen = true
        var isCancelled = false
    }

    private let end: ScriptedEventStream.Break
    private let openBodies: OpenBodies
    private let runtime: Runtime
    private let state: Lock<State>
    // Never opens: the gate fails when any task cancels the body.
    private let silence = Gate("the silence of a scripted event stream")

    init(
        pieces: [Piece],
        end: ScriptedEventStream.Break,
        _ openBodies: OpenBodies,
        _ runtime: Runtime
    ) {
        state = Lock(State(pieces: pieces[...]))
        self.end = end
        self.openBodies = openBodies
        self.runtime = runtime
        openBodies.change(by: 1)
    }

    deinit { close() }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        close()
        silence.fail(CancellationError())
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        try Task.checkCancellation()
        let next = try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            return state.pieces.popFirst()
        }
        guard let piece = next else { return try await finish() }
        try await wait(until: Runtime.Instant(offset: piece.time))
        return piece.bytes
    }

    private nonisolated(nonsending) func finish() async throws -> Data? {
        switch end {
        case .silence:
            try await silence.pass()
            return nil
        case .end:
            close()
            return nil
        case .error:
            close()
            throw TransportError(
                .connectionLost,
                "The connection was lost within the body (scripted break)."
            )
        }
    }

    /// Waits for an instant, or for the body to be cancelled.
    private nonisolated(nonsending) func wait(until instant: Runtime.Instant) async throws {
        guard instant > runtime.now else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [runtime] in try await runtime.sleep(until: instant) }
            group.addTask { [silence] in try await silence.pass() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func close() {
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if wasOpen { openBodies.change(by: -1) }
    }
}

/// The number of bodies that are neither at their end nor released.
final class OpenBodies: Sendable {
    private let number = Lock(0)

    var count: Int { number.withLock(\.self) }

    func change(by difference: Int) { number.withLock { $0 += difference } }
}
