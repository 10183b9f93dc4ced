#if AsyncHTTPClient
import AsyncHTTPClient
import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import NIOFoundationEssentialsCompat
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response's body as the engine delivers it, at the reader's pace.
final class ResponseBodyStream: HTTP.BodyStream {
    private enum State {
        case open(ChunkReader)
        case reading(Task<Chunk?, any Error>)
        case ended
        case cancelled
    }

    // As in the other engines, so that a reader of a fast body keeps its thread for some milliseconds.
    private static let readsUntilYield = 16

    private let request: HTTP.Request
    private let upload: RequestBodyStream?
    private let state: Lock<State>

    /// - Parameter length: The length of the body in bytes, if it is known.
    init(
        _ body: HTTPClientResponse.Body,
        length: Int?,
        to request: HTTP.Request,
        sentWith outgoing: OutgoingRequest,
        over engine: Engine
    ) {
        self.request = request
        upload = outgoing.stream
        state = Lock(.open(ChunkReader(body, length: length, over: engine)))
    }

    deinit { upload?.cancel() }

    nonisolated(nonsending) func next() async throws -> Data? {
        guard let (reader, reading) = try beginReading() else { return nil }
        // A body that arrives as fast as it is read would otherwise keep the thread forever.
        if reader.reads % Self.readsUntilYield == 0 { await Task.yield() }
        let result = await withTaskCancellationHandler {
            await reading.result
        } onCancel: {
            reading.cancel()
        }
        return try endReading(result, with: reader)
    }

    func cancel() {
        let reading: Task<Chunk?, any Error>? = state.withLock { state in
            switch state {
            case .open, .cancelled:
                // The engine ends the transfer when the last reference to the reader is released.
                state = .cancelled
                return nil
            case .reading(let task):
                state = .cancelled
                return task
            case .ended:
                return nil
            }
        }
        reading?.cancel()
        upload?.cancel()
    }

    // Each chunk has a task of its own, because only a waiting task can be cancelled from outside. The task runs
    // immediately if the chunk has arrived.
    private func beginReading() throws -> (ChunkReader, Task<Chunk?, any Error>)? {
        try state.withLock { state in
            switch state {
            case .open(let reader):
                let reading = reader.read()
                state = .reading(reading)
                return (reader, reading)
            case .reading:
                throw TransportError(.other, "The response's body is already being read.")
            case .ended:
                return nil
            case .cancelled:
                throw CancellationError()
            }
        }
    }

    private func endReading(
        _ result: Result<Chunk?, any Error>,
        with reader: ChunkReader
    ) throws -> Data? {
        let isCancelled = state.withLock { state in
            guard case .reading = state else { return true }
            if case .success(let chunk?) = result, !chunk.isLast {
                state = .open(reader)
            } else {
                state = .ended
            }
            return false
        }
        switch result {
        case .success(let chunk?) where !isCancelled:
            if chunk.isLast { upload?.cancel() }
            return Data(ownedOrCopiedFrom: chunk.buffer)
        case .success(nil) where !isCancelled:
            upload?.cancel()
            return nil
        case .failure(let error) where !isCancelled && !(error is CancellationError):
            upload?.cancel()
            throw Failure(error, of: request, .inBody).error
        default:
            upload?.cancel()
            throw CancellationError()
        }
    }
}

private struct Chunk: Sendable {
    var buffer: ByteBuffer
    var isLast: Bool
}

private final class ChunkReader: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: a stream is read by one reader at a time, which waits for the task that
    // touches the iterator and the chunks it has seen.
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private var missing: Int?
    private var extra: ByteBuffer?
    private(set) var reads = 0
    // Kept until the body is over, so that an own client is not shut down under it.
    private let engine: Engine

    init(_ body: HTTPClientResponse.Body, length: Int?, over engine: Engine) {
        iterator = body.makeAsyncIterator()
        missing = length
        self.engine = engine
    }

    func read() -> Task<Chunk?, any Error> {
        reads &+= 1
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return Task.immediate { try await self.next() }
        } else {
            return Task { try await self.next() }
        }
    }

    // The end follows the last byte at once: reading it together saves a task.
    private func next() async throws -> Chunk? {
        if let extra = extra.take() { return Chunk(buffer: extra, isLast: false) }
        guard let buffer = try await iterator.next() else { return nil }
        missing = missing.map { $0 - buffer.readableBytes }
        guard missing == 0 else { return Chunk(buffer: buffer, isLast: false) }
        extra = try await iterator.next()
        return Chunk(buffer: buffer, isLast: extra == nil)
    }
}

extension Data {
    /// Creates data from the buffer's bytes. They are shared with the buffer if that keeps little else in memory, and
    /// copied if the chunk is a small part of a large buffer.
    fileprivate init(ownedOrCopiedFrom buffer: ByteBuffer) {
        let isMostOfStorage = buffer.readableBytes >= Swift.max(buffer.storageCapacity / 2, 4096)
        self.init(buffer: buffer, byteTransferStrategy: isMostOfStorage ? .noCopy : .copy)
    }
}
#endif
