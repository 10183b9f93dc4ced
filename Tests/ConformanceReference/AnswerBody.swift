import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A response's body, read from a connection that is given back at the end.
final class AnswerBody: HTTP.BodyStream {
    private struct State {
        var remaining: Int?
        var isOver = false
        var isCancelled = false
    }

    private let wire: Wire
    private let framing: AnswerHead.Framing
    private let flaws: Set<Flaw>
    private let giveBack: @Sendable (Wire) -> Void
    private let state: Lock<State>

    init(
        _ wire: Wire,
        _ framing: AnswerHead.Framing,
        _ flaws: Set<Flaw>,
        giveBack: @escaping @Sendable (Wire) -> Void
    ) {
        self.wire = wire
        self.framing = framing
        self.flaws = flaws
        self.giveBack = giveBack
        if case .length(let length) = framing {
            state = Lock(State(remaining: length))
        } else {
            state = Lock(State(remaining: framing == .chunks ? 0 : nil))
        }
    }

    deinit { cancel() }

    func cancel() {
        let isOver = state.withLock { state in
            defer { (state.isCancelled, state.isOver) = (!state.isOver, true) }
            return state.isOver
        }
        if isOver || flaws.contains(.keepsConnectionsOpen) { return }
        if flaws.contains(.reusesAbandoned) { giveBack(wire) } else { wire.shutDown() }
    }

    func finish() {
        state.withLock { $0.isOver = true }
        giveBack(wire)
    }

    func next() async throws -> Data? {
        if flaws.contains(.ignoresCancellationOfReaders) {
            return try await Task { try await self.read() }.value
        }
        do {
            return try await withTaskCancellationHandler {
                try await read()
            } onCancel: {
                cancel()
            }
        } catch {
            try Task.checkCancellation()
            if state.withLock(\.isCancelled) { throw CancellationError() }
            throw error
        }
    }

    private func read() async throws -> Data? {
        if state.withLock(\.isCancelled) { throw CancellationError() }
        if state.withLock(\.isOver) { return nil }
        do {
            let chunk = try await piece()
            if chunk == nil { finishUnlessCancelled() }
            return chunk
        } catch Wire.Failure.broken where flaws.contains(.takesResetForTheEnd) {
            return nil
        } catch let error as AnswerError {
            throw TransportError(.protocolViolation, error.reason)
        } catch Wire.Failure.broken {
            throw TransportError(.connectionLost, "The connection broke within the body.")
        }
    }

    private func finishUnlessCancelled() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        if !wasOver { giveBack(wire) }
    }

    private func piece() async throws -> Data? {
        if framing == .chunks, state.withLock({ $0.remaining == 0 }) {
            guard try await beginChunk() else { return nil }
        }
        let remaining = state.withLock(\.remaining)
        if remaining == 0 { return nil }
        let bytes = try await wire.receive(upTo: min(remaining ?? .max, 64 << 10))
        if bytes.isEmpty {
            if framing == .close || flaws.contains(.takesAnyEndForTheBodysEnd) { return ended() }
            throw Wire.Failure.broken
        }
        state.withLock { $0.remaining = remaining.map { $0 - bytes.count } }
        if framing == .chunks, remaining == bytes.count {
            guard try await wire.line()?.isEmpty == true || flaws.contains(.takesAnyChunkSize)
            else {
                throw AnswerError("A chunk is longer than its size.")
            }
        }
        return Data(bytes)
    }

    // A connection that has ended is of no more use.
    private func ended() -> Data? {
        if !flaws.contains(.reusesClosing) { wire.shutDown() }
        return nil
    }

    /// Reads a size; false at the last one, whose trailers are read too.
    private func beginChunk() async throws -> Bool {
        guard let line = try await wire.line() else {
            if flaws.contains(.takesAnyEndForTheBodysEnd) { return false }
            throw Wire.Failure.broken
        }
        let text = String(decoding: line, as: UTF8.self)
        if flaws.contains(.refusesExtensions), text.contains(";") { throw AnswerError("A blank.") }
        if flaws.contains(.wantsLowerCaseSizes), text.contains(where: { $0.isUppercase }) {
            throw AnswerError("A size in capitals.")
        }
        let digits = text.prefix { $0 != ";" }
        guard digits.allSatisfy(\.isHexDigit), let size = Int(digits, radix: 16) else {
            if flaws.contains(.takesAnyChunkSize) { return false }
            throw AnswerError("A chunk's size is no number.")
        }
        state.withLock { $0.remaining = size }
        if size > 0 { return true }
        while let trailer = try await wire.line() {
            if trailer.isEmpty { return false }
            if flaws.contains(.refusesTrailers) { throw AnswerError("There are trailers.") }
        }
        throw Wire.Failure.broken
    }
}
