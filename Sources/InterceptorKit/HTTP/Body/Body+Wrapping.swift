import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Body {
    /// Returns a stream that opens the body when it is first read.
    ///
    /// The first read claims a one-shot body; until then the body can still be read in another way. Cancelling the
    /// stream cancels a one-shot body.
    public func stream() -> any HTTP.BodyStream { BodySource(self) }

    /// Returns the body, read through your own stream of the same length.
    ///
    /// See ``wrapping(length:_:)``.
    /// - Parameter wrap: Makes the stream that reads `base`.
    public func wrapping<Stream: HTTP.BodyStream>(
        _ wrap: @escaping @Sendable (_ base: any HTTP.BodyStream) -> Stream
    ) -> HTTP.Body {
        wrapping(length: length, wrap)
    }

    /// Returns the body, read through your own stream, which can change, count, store or check the bytes.
    ///
    /// Nothing is read until the new body is read. A one-shot body is wrapped once, during this call, so the stream's
    /// `deinit` also reports a body that nobody reads. Any other body, even in memory or a file, is wrapped again for
    /// each reading, and is then neither ``inMemory`` nor a ``file``. Your stream must pass
    /// ``HTTP/BodyStream/cancel()`` on to `base`; trailers pass through unless it has its own.
    /// - Parameters:
    ///   - length: The new number of bytes; `nil` if it is not known.
    ///   - wrap: Makes the stream that reads `base`.
    public func wrapping<Stream: HTTP.BodyStream>(
        length: Int?,
        _ wrap: @escaping @Sendable (_ base: any HTTP.BodyStream) -> Stream
    ) -> HTTP.Body {
        switch storage {
        case .oneShot(let body):
            HTTP.Body(.oneShot(OneShotBody(length: length, wrap(stream()), over: body)), as: format)
        case .bytes, .file, .replayable:
            HTTP.Body(.replayable(length: length) { wrap(stream()) }, as: format)
        }
    }
}

/// A stream that opens a body when it is first read, so that a body that is only passed on stays readable.
final class BodySource: HTTP.BodyStream {
    private enum State {
        case unread
        case reading(BodyReader)
        case ended
    }

    private let body: HTTP.Body
    private let state = Lock(State.unread)

    init(_ body: HTTP.Body) { self.body = body }

    var trailers: HTTP.Headers? { body.trailers }

    nonisolated(nonsending) func next() async throws -> Data? {
        if let reader = try opened() { return try await reader.next() }
        let reader = try await body.storage.open()
        try state.withLock { state throws(CancellationError) in
            // Cancelled while the body was being opened.
            guard case .unread = state else { throw CancellationError() }
            state = .reading(reader)
        }
        return try await reader.next()
    }

    private func opened() throws(CancellationError) -> BodyReader? {
        try state.withLock { state throws(CancellationError) in
            switch state {
            case .unread: return nil
            case .reading(let reader): return reader
            case .ended: throw CancellationError()
            }
        }
    }

    func cancel() {
        let open = state.withLock { state in
            let open = state
            state = .ended
            return open
        }
        switch open {
        case .unread: body.cancel()
        case .reading(let reader): reader.cancel()
        case .ended: break
        }
    }
}

extension HTTP {
    /// The reason why the reading of a body ended.
    public enum BodyEnding: Sendable {
        /// The body was read to its end.
        case completed
        /// The body was cancelled, or released before its end.
        case abandoned
        /// Reading the body threw an error.
        case failed(any Error)
    }
}

extension HTTP.Body {
    /// Returns the body, with reports of each chunk that a reader gets and of the end of each reading.
    ///
    /// A one-shot body ends once, even if nobody reads it. Any other body ends once for each reading, and is no longer
    /// ``inMemory``.
    /// - Parameters:
    ///   - onChunk: Gets each chunk before the reader does; must return at once. Defaults to nothing.
    ///   - onEnd: Gets the reason why the reading ended. Defaults to nothing.
    public func tapped(
        onChunk: @escaping @Sendable (_ chunk: Data) -> Void = { _ in },
        onEnd: @escaping @Sendable (_ ending: HTTP.BodyEnding) -> Void = { _ in }
    ) -> HTTP.Body {
        wrapping { TappedStream($0, onChunk, onEnd) }
    }
}

private final class TappedStream: HTTP.BodyStream {
    typealias OnEnd = @Sendable (HTTP.BodyEnding) -> Void

    private let base: any HTTP.BodyStream
    private let onChunk: @Sendable (Data) -> Void
    private let onEnd: Lock<OnEnd?>

    init(
        _ base: any HTTP.BodyStream,
        _ onChunk: @escaping @Sendable (Data) -> Void,
        _ onEnd: @escaping OnEnd
    ) {
        self.base = base
        self.onChunk = onChunk
        self.onEnd = Lock(onEnd)
    }

    deinit { end(.abandoned) }

    nonisolated(nonsending) func next() async throws -> Data? {
        do {
            guard let chunk = try await base.next() else {
                end(.completed)
                return nil
            }
            onChunk(chunk)
            return chunk
        } catch {
            end(.failed(error))
            throw error
        }
    }

    func cancel() {
        end(.abandoned)
        base.cancel()
    }

    private func end(_ ending: HTTP.BodyEnding) { onEnd.withLock { $0.take() }?(ending) }
}

extension HTTP {
    /// The part of a body that its reader has read, up to a limit.
    package struct BodyRecord: Sendable {
        package fileprivate(set) var beginning = Data()
        /// The number of bytes read, including those that were not kept.
        package fileprivate(set) var count = 0
        package fileprivate(set) var ending = BodyEnding.abandoned

        /// All bytes; `nil` if the body was not read to its end, or is longer than the limit.
        package var whole: Data? {
            guard case .completed = ending, beginning.count == count else { return nil }
            return beginning
        }

        /// The error that ended the reading; `nil` if none did.
        package var failure: (any Error)? {
            if case .failed(let error) = ending { error } else { nil }
        }
    }
}

extension HTTP.Body {
    /// Returns the body, with a record of its first bytes that is made while it is read.
    ///
    /// A body in memory is recorded at once.
    /// - Parameters:
    ///   - limit: The number of bytes to keep.
    ///   - onEnd: Gets the record at the end of the reading, even if it failed.
    package func recorded(
        upTo limit: Int,
        onEnd: @escaping @Sendable (_ record: HTTP.BodyRecord) -> Void
    ) -> HTTP.Body {
        if let inMemory {
            var record = HTTP.BodyRecord()
            record.add(inMemory, upTo: limit)
            record.ending = .completed
            onEnd(record)
            return self
        }
        let shared = SharedRecord()
        return tapped { chunk in
            shared.record.withLock { $0.add(chunk, upTo: limit) }
        } onEnd: { ending in
            var record = shared.record.withLock { $0 }
            record.ending = ending
            onEnd(record)
        }
    }
}

extension HTTP.BodyRecord {
    fileprivate mutating func add(_ chunk: Data, upTo limit: Int) {
        count += chunk.count
        beginning += chunk.prefix(max(0, max(0, limit) - beginning.count))
    }
}

private final class SharedRecord: Sendable {
    let record = Lock(HTTP.BodyRecord())
}

extension HTTP {
    /// A weak reference to a one-shot body. Use it to count or cancel bodies that still arrive without keeping those
    /// that their readers dropped.
    public struct WeakBody: Sendable {
        private weak let body: OneShotBody?

        /// Creates a reference.
        /// - Parameter body: The body; one that can be read again gives `nil`, because it has nothing to cancel.
        public init?(_ body: Body) {
            guard case .oneShot(let body) = body.storage, body.isOpen else { return nil }
            self.body = body
        }

        /// Whether somebody still holds the body.
        public var isAlive: Bool { body != nil }

        /// Whether the body is still held, and was neither read to its end nor cancelled.
        public var isOpen: Bool { body?.isOpen == true }

        /// Cancels the body if it is still held: its reader gets a `CancellationError`.
        public func cancel() { body?.cancel() }
    }
}
