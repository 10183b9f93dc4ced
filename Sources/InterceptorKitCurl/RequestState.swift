import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of one transfer and its two waiters: events in, effects out, no I/O.
///
/// Two wait: the caller of `send` for the head, once, and the body's reader for a chunk, many times.
/// Whatever the order of events, each of them is answered exactly once for each time it waits.
struct RequestState {
    enum Event {
        /// `send` waits for the head.
        case callerWaits
        case head(ResponseHead)
        case chunk(Data)
        /// The loop receives no more until told to.
        case receivingPaused
        /// The loop is done with the transfer.
        case completed(Failure?, trailers: HTTP.Headers?)
        /// The transfer cannot go on, whatever libcurl would say.
        case failed(Failure)
        case callerCancelled
        case deadlinePassed
        case readerWaits
        /// The body was dropped, cancelled, or its reading task was.
        case readerLeft
        /// The loop did not take the transfer.
        case notStarted(Failure)
        case closed
    }

    /// What is to be done, at most one of each.
    struct Effects {
        var caller: Result<ResponseHead, Failure>?
        var reader: Result<Data?, Failure>?
        var command: Command?
    }

    enum Command: Equatable {
        case start
        case resumeReceiving
        case stop
    }

    private enum Phase { case idle, awaitingHead, receiving }

    private let limit: Int
    private var phase = Phase.idle
    private var outcome: Result<HTTP.Headers?, Failure>?
    private var chunks = ChunkQueue()
    private var isReaderWaiting = false
    private var isPaused = false
    // From started to completed there is something to stop, once.
    private var isRunning = false

    /// - Parameter limit: The bytes that wait for the reader while the loop pauses.
    init(limit: Int) { self.limit = limit }

    /// The bytes that wait for the reader.
    var unread: Int { chunks.byteCount }

    /// The fields after the content, once it was read to its end.
    var trailers: HTTP.Headers? {
        guard case .success(let trailers) = outcome, chunks.isEmpty else { return nil }
        return trailers
    }

    /// Whether a reader would not have to wait.
    var isReadable: Bool { !chunks.isEmpty || outcome != nil }

    mutating func handle(_ event: Event) -> Effects {
        var effects = Effects()
        handle(event, &effects)
        return effects
    }

    mutating func handle(_ event: Event, _ effects: inout Effects) {
        switch event {
        case .callerWaits: callerWaits(&effects)
        case .head(let head): receive(head, &effects)
        case .chunk(let chunk): receive(chunk, &effects)
        case .receivingPaused: receivingPaused(&effects)
        case .completed(let failure, let trailers): complete(failure, trailers, &effects)
        case .failed(let failure): fail(failure, &effects)
        case .callerCancelled: if phase != .receiving { fail(.cancelled, &effects) }
        case .deadlinePassed: if phase != .receiving { fail(.deadlinePassed, &effects) }
        case .readerWaits: readerWaits(&effects)
        case .readerLeft: readerLeft(&effects)
        case .notStarted(let failure):
            isRunning = false
            fail(failure, &effects)
        case .closed: fail(.closed, &effects)
        }
    }

    private mutating func callerWaits(_ effects: inout Effects) {
        phase = .awaitingHead
        if case .failure(let failure) = outcome {
            effects.caller = .failure(failure)
        } else {
            isRunning = true
            effects.command = .start
        }
    }

    private mutating func receive(_ head: ResponseHead, _ effects: inout Effects) {
        guard phase == .awaitingHead, outcome == nil else { return }
        phase = .receiving
        effects.caller = .success(head)
    }

    private mutating func receive(_ chunk: Data, _ effects: inout Effects) {
        guard phase == .receiving, outcome == nil, !chunk.isEmpty else { return }
        if isReaderWaiting {
            isReaderWaiting = false
            effects.reader = .success(chunk)
        } else {
            chunks.append(chunk)
        }
    }

    private mutating func receivingPaused(_ effects: inout Effects) {
        guard outcome == nil else { return }
        isPaused = true
        resumeIfRead(&effects)
    }

    // Half of the buffer is left to the reader while libcurl fills the other.
    private mutating func resumeIfRead(_ effects: inout Effects) {
        guard isPaused, isRunning, chunks.byteCount <= limit / 2 else { return }
        isPaused = false
        effects.command = .resumeReceiving
    }

    private mutating func complete(
        _ failure: Failure?,
        _ trailers: HTTP.Headers?,
        _ effects: inout Effects
    ) {
        isRunning = false
        guard outcome == nil else { return }
        guard phase == .receiving else { return fail(failure ?? .noResponse, &effects) }
        // What has arrived can still be read.
        outcome = failure.map { .failure($0) } ?? .success(trailers)
        guard isReaderWaiting else { return }
        isReaderWaiting = false
        effects.reader = failure.map { .failure($0) } ?? .success(nil)
    }

    private mutating func readerWaits(_ effects: inout Effects) {
        if let chunk = chunks.popFirst() {
            effects.reader = .success(chunk)
            resumeIfRead(&effects)
            return
        }
        switch outcome {
        case .success: effects.reader = .success(nil)
        case .failure(let failure): effects.reader = .failure(failure)
        case nil: isReaderWaiting = true
        }
    }

    private mutating func readerLeft(_ effects: inout Effects) {
        guard outcome != nil else { return fail(.cancelled, &effects) }
        // What is here and unread is as gone as what would still have come.
        if case .success = outcome, !chunks.isEmpty { outcome = .failure(.cancelled) }
        chunks = ChunkQueue()
    }

    /// Everything is over at once; what has arrived is released.
    private mutating func fail(_ failure: Failure, _ effects: inout Effects) {
        guard outcome == nil else { return }
        outcome = .failure(failure)
        chunks = ChunkQueue()
        if phase == .awaitingHead { effects.caller = .failure(failure) }
        if isReaderWaiting { effects.reader = .failure(failure) }
        isReaderWaiting = false
        if isRunning { effects.command = .stop }
        isRunning = false
    }
}
