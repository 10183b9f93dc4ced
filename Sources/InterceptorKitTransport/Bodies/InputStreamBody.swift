import Dispatch
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

final class InputStreamBody: HTTP.BodyStream, @unchecked Sendable {
    private enum State { case unopened, open, reading, left, closed }

    private static let chunkSize = 64 * 1024

    // Invariant behind `@unchecked Sendable`: a stream from a `URLRequest` is handed over with it, and is touched only
    // by code that changed `state` to `reading`, or while `state` is locked and is not `reading`.
    private let stream: InputStream
    private let state = Lock(State.unopened)
    // A read may wait for as long as the other end of a pipe likes.
    private let queue = DispatchQueue(label: "InterceptorKit.InputStreamBody")

    init(_ stream: InputStream) { self.stream = stream }

    deinit { cancel() }

    nonisolated(nonsending) func next() async throws -> Data? {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.read() }) }
        }
    }

    private func read() throws -> Data? {
        let before = state.withLock { state in
            defer { if state == .unopened || state == .open { state = .reading } }
            return state
        }
        guard before == .unopened || before == .open else { return nil }
        if before == .unopened {
            try checkUnread()
            stream.open()
        }
        var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
        // Safety: the stream writes at most the array's own count, in this call.
        let count = unsafe stream.read(&chunk, maxLength: chunk.count)
        return try state.withLock { state in
            if count > 0, state == .reading {
                state = .open
                return Data(chunk.prefix(count))
            }
            // Foundation on Linux ends the process when it is asked for an error that does not exist.
            let error = stream.streamStatus == .error ? stream.streamError : nil
            stream.close()
            defer { state = .closed }
            if state == .left { throw CancellationError() }
            if count < 0 { throw error ?? CocoaError(.fileReadUnknown) }
            return nil
        }
    }

    // A second read would find the stream empty, and an empty body would be sent silently.
    private func checkUnread() throws {
        guard [.atEnd, .closed, .error].contains(stream.streamStatus) else { return }
        state.withLock { $0 = .closed }
        throw TransportError(
            .other,
            "The request's httpBodyStream was read before and can be read once; nothing was sent. Make "
                + "a new stream for each request, or use httpBody.",
            isUnsent: true
        )
    }

    func cancel() {
        state.withLock { state in
            if state == .open { stream.close() }
            // Code that is reading closes the stream when it ends.
            state = state == .reading || state == .left ? .left : .closed
        }
    }
}
