import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What one `URLSessionTask` and the two who wait for it have come to: events in, actions out, no I/O.
///
/// Two wait: the caller of `send` for the head, once, and the body's reader for a chunk, many times.
/// Whatever the order of events, each of them is answered exactly once for each time it waits.
struct TaskState {
    enum Event {
        /// `send` waits for the head.
        case callerWaits
        /// The engine's task exists and is not started.
        case taskMade
        case head(ResponseHead)
        case chunk(Data)
        /// The engine wants a credential and, on Linux, will not end the task without one.
        case challenge(ResponseHead)
        case completed(URLError?)
        case callerCancelled
        case deadlinePassed
        case readerWaits
        /// The body was dropped, cancelled, or its reading task was.
        case readerLeft
        case closed
    }

    enum Action: Equatable {
        case makeTask
        case startTask
        case deliverHead(ResponseHead)
        case failCaller(Failure)
        case deliverChunk(Data)
        case deliverEnd
        case failReader(Failure)
        case cancelTask
        /// No task was made and none will be.
        case forget
    }

    enum Failure: Equatable {
        case cancelled
        case timedOut
        case closed
        case readerTooSlow
        case noResponse
        case engine(URLError)
    }

    private enum Phase { case idle, awaitingHead, receiving }

    private enum Outcome {
        case finished
        case failed(Failure)
    }

    private let limit: Int
    private var phase = Phase.idle
    private var outcome: Outcome?
    private var chunks = ChunkQueue()
    private var isReaderWaiting = false
    // From made to completed there is something to cancel, once.
    private var isCancellable = false

    /// - Parameter limit: The bytes that may wait for the reader.
    init(limit: Int) { self.limit = limit }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .callerWaits: callerWaits()
        case .taskMade: taskMade()
        case .head(let head): receive(head)
        case .chunk(let chunk): receive(chunk)
        case .challenge(let head): receive(head) + endWithoutCompletion()
        case .completed(let error): complete(error)
        case .callerCancelled: phase == .receiving ? [] : fail(.cancelled)
        case .deadlinePassed: phase == .receiving ? [] : fail(.timedOut)
        case .readerWaits: readerWaits()
        case .readerLeft: readerLeft()
        case .closed: fail(.closed)
        }
    }

    private mutating func callerWaits() -> [Action] {
        if case .failed(let failure) = outcome { return [.failCaller(failure), .forget] }
        phase = .awaitingHead
        return [.makeTask]
    }

    private mutating func taskMade() -> [Action] {
        isCancellable = true
        return outcome == nil ? [.startTask] : cancelTask()
    }

    private mutating func receive(_ head: ResponseHead) -> [Action] {
        // Below 200 is not the response yet (RFC 9110 section 15.2).
        guard phase == .awaitingHead, outcome == nil, head.status.code >= 200 else { return [] }
        phase = .receiving
        return [.deliverHead(head)]
    }

    private mutating func receive(_ chunk: Data) -> [Action] {
        guard phase == .receiving, outcome == nil, !chunk.isEmpty else { return [] }
        if isReaderWaiting {
            isReaderWaiting = false
            return [.deliverChunk(chunk)]
        }
        guard chunks.byteCount + chunk.count <= limit else { return fail(.readerTooSlow) }
        chunks.append(chunk)
        return []
    }

    private mutating func endWithoutCompletion() -> [Action] {
        guard phase == .receiving, outcome == nil else { return [] }
        return end(.finished) + cancelTask()
    }

    private mutating func complete(_ error: URLError?) -> [Action] {
        isCancellable = false
        guard outcome == nil else { return [] }
        if phase == .receiving { return end(error.map { .failed(.engine($0)) } ?? .finished) }
        return fail(error.map { .engine($0) } ?? .noResponse)
    }

    /// The body is over; what has arrived can still be read.
    private mutating func end(_ outcome: Outcome) -> [Action] {
        self.outcome = outcome
        guard isReaderWaiting else { return [] }
        isReaderWaiting = false
        switch outcome {
        case .finished: return [.deliverEnd]
        case .failed(let failure): return [.failReader(failure)]
        }
    }

    private mutating func readerWaits() -> [Action] {
        if let chunk = chunks.popFirst() { return [.deliverChunk(chunk)] }
        switch outcome {
        case .finished: return [.deliverEnd]
        case .failed(let failure): return [.failReader(failure)]
        case nil:
            isReaderWaiting = true
            return []
        }
    }

    private mutating func readerLeft() -> [Action] {
        guard outcome != nil else { return fail(.cancelled) }
        // What is here and unread is as gone as what would still have come.
        if case .finished = outcome, !chunks.isEmpty { outcome = .failed(.cancelled) }
        chunks = ChunkQueue()
        return []
    }

    /// Everything is over at once; what has arrived is let go.
    private mutating func fail(_ failure: Failure) -> [Action] {
        guard outcome == nil else { return [] }
        outcome = .failed(failure)
        chunks = ChunkQueue()
        var actions: [Action] = []
        if phase == .awaitingHead { actions.append(.failCaller(failure)) }
        if isReaderWaiting { actions.append(.failReader(failure)) }
        isReaderWaiting = false
        return actions + cancelTask()
    }

    private mutating func cancelTask() -> [Action] {
        guard isCancellable else { return [] }
        isCancellable = false
        return [.cancelTask]
    }
}
