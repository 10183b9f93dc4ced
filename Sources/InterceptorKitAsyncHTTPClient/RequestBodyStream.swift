#if AsyncHTTPClient
import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import NIOFoundationEssentialsCompat
import Synchronization

/// A body that is read or produced while it is sent.
///
/// The engine asks for chunks from a task that it never cancels, so each chunk is produced in a task of ours, which
/// ends with the exchange.
final class RequestBodyStream: Sendable {
    private enum Action {
        case make(_ number: Int)
        case end(Result<ByteBuffer?, any Error>)
    }

    private struct State {
        var reader: CheckedContinuation<ByteBuffer?, any Error>?
        var making: Task<Void, Never>?
        // The number of chunks requested so far, so that a task that is already done replaces no later one.
        var asked = 0
        var isOver = false
        var count = 0

        mutating func ask(
            _ reader: CheckedContinuation<ByteBuffer?, any Error>,
            length: Int?
        ) -> Action {
            if isOver { return .end(end(at: length)) }
            self.reader = reader
            asked += 1
            return .make(asked)
        }

        // A connection on which a request was sent completely can be used again.
        func end(at length: Int?) -> Result<ByteBuffer?, any Error> {
            count == length ? .success(nil) : .failure(CancellationError())
        }
    }

    private let source: ChunkSource
    private let length: Int?
    private let runtime: Runtime
    private let onSent: (@Sendable (Int) -> Void)?
    private let state = Lock(State())

    init(_ body: HTTP.Body, call: Call) {
        source = ChunkSource(body)
        length = body.length
        runtime = call.runtime
        onSent = call.onBodySent
    }

    /// Ends the body with the exchange: nothing more is produced.
    func cancel() {
        let (reader, making, end) = state.withLock { state in
            state.isOver = true
            return (state.reader.take(), state.making, state.end(at: length))
        }
        making?.cancel()
        reader?.resume(with: end)
    }

    fileprivate func next() async throws -> ByteBuffer? {
        // A request for more means that the previous chunk was taken.
        let sent = state.withLock(\.count)
        if sent > 0 { onSent?(sent) }
        return try await withCheckedThrowingContinuation { reader in
            switch state.withLock({ $0.ask(reader, length: length) }) {
            case .make(let number): makeChunk(number)
            case .end(let end): reader.resume(with: end)
            }
        }
    }

    private func makeChunk(_ number: Int) {
        let making = runtime.start("AsyncHTTPClientTransport request body") { [self] in
            do {
                deliver(.success(try await source.next()))
            } catch {
                deliver(.failure(RequestBodyFailure(cause: error)))
            }
        }
        let isOver = state.withLock { state in
            if state.asked == number { state.making = making }
            return state.isOver
        }
        if isOver { making.cancel() }
    }

    private func deliver(_ chunk: Result<ByteBuffer?, any Error>) {
        let reader = state.withLock { state in
            if case .success(let buffer?) = chunk { state.count += buffer.readableBytes }
            return state.reader.take()
        }
        reader?.resume(with: chunk)
    }
}

extension RequestBodyStream: AsyncSequence {
    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: RequestBodyStream

        mutating func next() async throws -> ByteBuffer? { try await stream.next() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }
}

/// An error of a request's body, distinct from the engine's errors.
struct RequestBodyFailure: Error {
    let cause: any Error
}

private final class ChunkSource: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: the engine asks for one chunk at a time, and for the next one only after
    // it got the last, so that one task at a time touches the iterator.
    private var iterator: HTTP.Body.AsyncIterator

    init(_ body: HTTP.Body) { iterator = body.makeAsyncIterator() }

    func next() async throws -> ByteBuffer? {
        try await iterator.next().map { ByteBuffer(data: $0) }
    }
}
#endif
