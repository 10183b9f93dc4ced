import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A stream of bytes as they arrive, which a transport implements to return a body.
///
/// A body calls ``next()`` from one reader at a time. A stream that holds a resource open releases it when it
/// ends, when ``cancel()`` is called, and when its last reference is released.
public protocol BodyStream: AnyObject, Sendable {
    /// Returns the next chunk, or `nil` at the end and from then on.
    /// - Throws: `CancellationError` if the reading task is cancelled or ``cancel()`` was called.
    nonisolated(nonsending) func next() async throws -> Data?

    /// Ends the stream from outside. May be called at any time, more than once.
    func cancel()

    /// The trailer fields; `nil` before the end, and if there are none. Defaults to `nil`.
    var trailers: HTTP.Headers? { get }
}

extension BodyStream {
    public var trailers: HTTP.Headers? { nil }
}

/// The one reader of a stream. A reader that goes before the end cancels it, as a loop that is left
/// early does.
final class BodyReader: Sendable {
    private let stream: any BodyStream
    // The next one last, so that taking it moves no other.
    private let early: Lock<[Data]>
    private let failure: (any Error)?
    private let end: BodyEnd

    init(
        _ stream: any BodyStream,
        after early: [Data] = [],
        failing failure: (any Error)? = nil,
        until end: BodyEnd = BodyEnd()
    ) {
        self.stream = stream
        self.early = Lock(early.reversed())
        self.failure = failure
        self.end = end
    }

    deinit { cancel() }

    func cancel() {
        if end.isReached { return }
        end.reach()
        stream.cancel()
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        let seen = early.withLock { $0.popLast() }
        if let seen { return seen }
        if let failure { throw failure }
        let chunk = try await stream.next()
        if chunk == nil { end.reach() }
        return chunk
    }
}

/// Whether a stream was read to its end or released, so that it holds nothing open any more.
final class BodyEnd: Sendable {
    private let reached = Lock(false)

    var isReached: Bool { reached.withLock { $0 } }

    func reach() { reached.withLock { $0 = true } }
}

/// A body that can be read once, and looked into before.
final class OneShotBody: Sendable {
    private struct State {
        var early: [Data] = []
        // Kept for the reader, since a stream that failed may say next that it is at its end.
        var failure: (any Error)?
        var isClaimed = false
    }

    let length: Int?
    private let stream: any BodyStream
    // What the stream reads from, if it stands around another body.
    private let base: OneShotBody?
    private let state = Lock(State())
    private let end = BodyEnd()

    var trailers: HTTP.Headers? { stream.trailers ?? base?.trailers }

    /// Whether it is neither read to its end nor released.
    var isOpen: Bool { !end.isReached }

    init(length: Int?, _ stream: any BodyStream, over base: OneShotBody? = nil) {
        self.length = length
        self.stream = stream
        self.base = base
    }

    func claim() throws(HTTP.BodyError) -> BodyReader {
        let found: State? = state.withLock { state in
            if state.isClaimed { return nil }
            state.isClaimed = true
            return state
        }
        guard let found else { throw .alreadyRead }
        return BodyReader(stream, after: found.early, failing: found.failure, until: end)
    }

    func takeUnread<Stream: BodyStream>(as type: Stream.Type) -> Stream? {
        guard let own = stream as? Stream else { return nil }
        let isMine = state.withLock { state in
            guard !state.isClaimed, state.early.isEmpty, state.failure == nil else { return false }
            state.isClaimed = true
            return true
        }
        guard isMine else { return nil }
        end.reach()
        return own
    }

    func peek(upTo limit: Int) async throws -> Data {
        // Claimed while it is being looked into, so that a reader cannot come between.
        let found: State? = state.withLock { state in
            if state.isClaimed { return nil }
            state.isClaimed = true
            return state
        }
        guard var found else { throw HTTP.BodyError.alreadyRead }
        defer {
            found.isClaimed = false
            state.withLock { $0 = found }
        }
        var count = found.early.reduce(0) { $0 + $1.count }
        while count < limit {
            if let failure = found.failure { throw failure }
            do {
                guard let chunk = try await stream.next() else { break }
                found.early.append(chunk)
                count += chunk.count
            } catch {
                found.failure = error
            }
        }
        return found.early.reduce(into: Data()) { $0.append($1) }
    }

    func cancel() {
        end.reach()
        stream.cancel()
    }
}

/// An asynchronous sequence's chunks.
final class SequenceStream<Chunks: AsyncSequence>: BodyStream, @unchecked Sendable
where Chunks.Element == Data {
    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`, and that
    // alone touches the iterator.
    private var iterator: Chunks.AsyncIterator
    private let isCancelled = Lock(false)

    init(_ chunks: Chunks) { iterator = chunks.makeAsyncIterator() }

    nonisolated(nonsending) func next() async throws -> Data? {
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
        return try await iterator.next()
    }

    func cancel() { isCancelled.withLock { $0 = true } }
}

final class EmptyStream: BodyStream {
    nonisolated(nonsending) func next() async throws -> Data? { nil }
    func cancel() {}
}
