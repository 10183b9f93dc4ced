import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitEngine
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Carries a body's chunks from the task that reads the stream to the loop that sends them.
///
/// The task waits while the pipe is full; the loop pauses while it is empty.
final class UploadPipe: Sendable {
    private struct Contents {
        var chunks = ChunkQueue()
        var received = 0
        var isComplete = false
        var isClosed = false
        var isTakerWaiting = false
        var pusher: CheckedContinuation<Void, Never>?
        var pump: Task<Void, Never>?
    }

    private let limit: Int
    private let length: Int?
    private let contents = Lock(Contents())

    /// - Parameters:
    ///   - length: The stated length in bytes, if any.
    ///   - limit: The bytes that may wait in the pipe.
    init(length: Int?, limit: Int) {
        self.length = length
        self.limit = limit
    }

    /// Adds a chunk and waits until there is room for another.
    /// - Parameter wake: Called if the loop waits for bytes.
    /// - Returns: Whether more is wanted.
    nonisolated(nonsending) func push(
        _ chunk: Data,
        wake: () -> Void
    ) async throws(CurlFailure) -> Bool {
        let (isTakerWaiting, received, isFull) = contents.withLock { contents in
            contents.chunks.append(chunk)
            contents.received += chunk.count
            defer { contents.isTakerWaiting = false }
            return (
                contents.isTakerWaiting, contents.received, contents.chunks.byteCount >= limit
            )
        }
        if let length, received > length { throw .bodyTooLong(stated: length) }
        if isTakerWaiting { wake() }
        if isFull { await waitForRoom() }
        return contents.withLock { !$0.isClosed }
    }

    private nonisolated(nonsending) func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let mayContinue = contents.withLock { contents in
                if contents.isClosed || contents.chunks.byteCount < limit { return true }
                contents.pusher = continuation
                return false
            }
            if mayContinue { continuation.resume() }
        }
    }

    /// Ends the pipe after the last chunk.
    func complete(wake: () -> Void) throws(CurlFailure) {
        let (isTakerWaiting, received) = contents.withLock { contents in
            contents.isComplete = true
            defer { contents.isTakerWaiting = false }
            return (contents.isTakerWaiting, contents.received)
        }
        if let length, received < length { throw .bodyTooShort(sent: received, stated: length) }
        if isTakerWaiting { wake() }
    }

    func take(into buffer: UnsafeMutableRawBufferPointer) -> Upload.Supply {
        let count = buffer.count
        let (supply, pusher): (Upload.Supply, CheckedContinuation<Void, Never>?) =
            contents.withLock { contents in
                // Safety: `count` is the buffer's own; libcurl lends it for this call, which does not let it out of the
                // lock.
                let taken = unsafe contents.chunks.take(upTo: count, into: buffer)
                if taken > 0 {
                    let hasRoom = contents.chunks.byteCount < limit
                    return (.bytes(taken), hasRoom ? contents.pusher.take() : nil)
                }
                if contents.isComplete { return (.end, nil) }
                contents.isTakerWaiting = true
                return (.later, contents.pusher.take())
            }
        pusher?.resume()
        return supply
    }

    /// Takes over the task that pushes, which is cancelled when nobody takes bytes any more.
    func own(_ pump: Task<Void, Never>) {
        let isClosed = contents.withLock { contents in
            if !contents.isClosed { contents.pump = pump }
            return contents.isClosed
        }
        if isClosed { pump.cancel() }
    }

    /// Ends the pipe because nobody takes bytes any more.
    func close() {
        let (pusher, pump) = contents.withLock { contents in
            contents.isClosed = true
            contents.chunks = ChunkQueue()
            return (contents.pusher.take(), contents.pump.take())
        }
        pusher?.resume()
        pump?.cancel()
    }
}
