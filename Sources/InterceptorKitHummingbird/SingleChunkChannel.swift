#if Hummingbird
import HTTPTypes
import Hummingbird
import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import Synchronization

/// A channel between two tasks, in which the writer waits until its chunk is taken.
final class SingleChunkChannel: Sendable {
    private struct State {
        var chunk: ByteBuffer?
        var writer: CheckedContinuation<Void, any Error>?
        var reader: CheckedContinuation<ByteBuffer?, any Error>?
        var end: Result<HTTPFields?, any Error>?
    }

    private let state = Lock(State())

    /// The trailer fields; `nil` before the end of the content.
    var trailers: HTTPFields? {
        guard case .success(let fields) = state.withLock(\.end) else { return nil }
        return fields
    }

    func run(_ body: ResponseBody) async {
        do {
            try await body.write(SingleChunkWriter(chunks: self))
            finish(nil)
        } catch {
            close(error)
        }
    }

    func write(_ buffer: ByteBuffer) async throws {
        guard buffer.readableBytes > 0 else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                offer(buffer, continuation)
            }
        } onCancel: {
            close(CancellationError())
        }
    }

    func finish(_ trailers: HTTPFields?) { end(.success(trailers)) }

    /// Ends the channel from either side: the reader gets the error, and the writer learns that nobody reads.
    func close(_ error: any Error) { end(.failure(error)) }

    func next() async throws -> ByteBuffer? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in take(continuation) }
        } onCancel: {
            close(CancellationError())
        }
    }

    private func offer(_ buffer: ByteBuffer, _ writer: CheckedContinuation<Void, any Error>) {
        let (isOver, reader) = state.withLock { state in
            if state.end != nil { return (true, CheckedContinuation<ByteBuffer?, any Error>?.none) }
            if let reader = state.reader.take() { return (false, reader) }
            state.chunk = buffer
            state.writer = writer
            return (false, nil)
        }
        if isOver { return writer.resume(throwing: CancellationError()) }
        guard let reader else { return }
        reader.resume(returning: buffer)
        writer.resume()
    }

    private func take(_ reader: CheckedContinuation<ByteBuffer?, any Error>) {
        let (found, writer) = state.withLock { state in
            let writer = state.writer.take()
            if let chunk = state.chunk.take() {
                return (Result<ByteBuffer?, any Error>?.some(.success(chunk)), writer)
            }
            if let end = state.end { return (end.map { _ in nil }, writer) }
            state.reader = reader
            return (nil, nil)
        }
        if let found { reader.resume(with: found) }
        writer?.resume()
    }

    private func end(_ end: Result<HTTPFields?, any Error>) {
        let (reader, writer) = state.withLock { state in
            guard state.end == nil else {
                return (
                    CheckedContinuation<ByteBuffer?, any Error>?.none,
                    CheckedContinuation<Void, any Error>?.none
                )
            }
            state.end = end
            state.chunk = nil
            return (state.reader.take(), state.writer.take())
        }
        reader?.resume(with: end.map { _ in nil })
        writer?.resume(throwing: CancellationError())
    }
}

private struct SingleChunkWriter: ResponseBodyWriter {
    let chunks: SingleChunkChannel

    mutating func write(_ buffer: ByteBuffer) async throws { try await chunks.write(buffer) }

    consuming func finish(_ trailers: HTTPFields?) async throws { chunks.finish(trailers) }
}
#endif
