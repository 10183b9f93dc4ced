import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The state of one `URLSessionTask` and its two waiters: events in, actions out, no I/O.
///
/// Two wait: the caller of `send` for the head, once, and the body's reader for a portion, many times.
/// Whatever the order of events, each of them is answered exactly once for each time it waits.
struct RequestState {
    enum Event {
        /// `send` waits for the head.
        case callerWaits
        /// The engine can be asked without waiting for it.
        case engineFree
        /// The engine's task exists and is not started.
        case taskMade
        case head(ResponseHead)
        /// The head says no length, or two.
        case lengthUnusable
        case chunk(Data)
        /// The engine has handed out what it had at hand.
        case batchEnded
        /// What was to be kept in a file is, or could not be. Comes before the engine's next event.
        case stored(StorageError?)
        /// The engine wants a credential and, on Linux, will not end the task without one.
        case challenge(ResponseHead)
        /// The engine sends the request again and, on Linux, without the body it has sent before.
        case resent
        /// The engine is done; the head is the one that it has not handed out, if any.
        case completed(URLError?, unseen: ResponseHead?)
        case callerCancelled
        case deadlinePassed
        case readerWaits
        /// The body was dropped, cancelled, or its reading task was.
        case readerLeft
        case closed
    }

    enum Action: Equatable {
        /// Say when the engine can be asked.
        case awaitEngine
        case makeTask
        case startTask
        case deliverHead(ResponseHead)
        case failCaller(Failure)
        case deliver(ReceiveBuffer.Segment)
        case deliverEnd
        case failReader(Failure)
        /// Say when the engine has handed out what it has at hand.
        case awaitBatch
        /// Keep the chunk in a file.
        case store(Data, ReceiveBuffer.Region)
        /// Nobody will read what is in files.
        case dropStores
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
        case droppedBody
        case lengthUnusable
        case resent
        case storage(StorageError)
        case engine(URLError)
    }

    private enum Phase { case idle, awaitingHead, receiving }

    private enum Outcome {
        case finished
        case failed(Failure)
    }

    // A waiting reader is worth waking in the middle of a turn for this much.
    private static let wakingSize = 64 * 1024

    private let waitsForBatches: Bool
    private var phase = Phase.idle
    private var outcome: Outcome?
    private var receiveBuffer: ReceiveBuffer
    // The head is here and its caller not woken yet.
    private var heldHead: ResponseHead?
    private var isBatchAwaited = false
    private var isReaderWaiting = false
    private var hasStores = false
    // From made to completed there is something to cancel, once.
    private var isCancellable = false

    /// - Parameters:
    ///   - limits: How much of the body may wait for its reader.
    ///   - waitsForBatches: Whether the tasks that wait are woken at the end of the engine's turn, with all
    ///     that came in it, and not at each of its events.
    init(limits: ReceiveBuffer.Limits, waitsForBatches: Bool) {
        receiveBuffer = ReceiveBuffer(limits: limits)
        self.waitsForBatches = waitsForBatches
    }

    var isReceiving: Bool { phase == .receiving }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .callerWaits: callerWaits()
        case .engineFree: outcome == nil ? [.makeTask] : [.forget]
        case .taskMade: taskMade()
        case .head(let head): receive(head)
        case .lengthUnusable: phase == .awaitingHead ? fail(.lengthUnusable) : []
        case .chunk(let chunk): receive(chunk)
        case .batchEnded: batchEnded()
        case .stored(let error): stored(error)
        case .challenge(let head): challenge(head)
        case .resent: fail(.resent)
        case .completed(let error, let head): complete(error, unseen: head)
        case .callerCancelled: isCallerWaiting ? fail(.cancelled) : []
        case .deadlinePassed: deadlinePassed()
        case .readerWaits: readerWaits()
        case .readerLeft: readerLeft()
        case .closed: fail(.closed)
        }
    }

    // Before it waits as well: then it is answered when it does.
    private var isCallerWaiting: Bool { phase != .receiving || heldHead != nil }

    private mutating func callerWaits() -> [Action] {
        if case .failed(let failure) = outcome { return [.failCaller(failure), .forget] }
        phase = .awaitingHead
        return [.awaitEngine]
    }

    private mutating func taskMade() -> [Action] {
        isCancellable = true
        return outcome == nil ? [.startTask] : cancelTask()
    }

    private mutating func deadlinePassed() -> [Action] {
        heldHead == nil ? (phase == .receiving ? [] : fail(.timedOut)) : wake()
    }

    private mutating func challenge(_ head: ResponseHead) -> [Action] {
        if phase == .awaitingHead, outcome == nil { accept(head) }
        guard phase == .receiving, outcome == nil else { return [] }
        return end(.finished) + cancelTask()
    }

    private mutating func complete(_ error: URLError?, unseen head: ResponseHead?) -> [Action] {
        isCancellable = false
        guard outcome == nil else { return [] }
        if phase == .receiving { return end(error.map { .failed(.engine($0)) } ?? .finished) }
        if let error { return fail(.engine(error)) }
        guard let head, phase == .awaitingHead, head.status.code >= 200 else {
            return fail(.noResponse)
        }
        accept(head)
        return end(.failed(.droppedBody))
    }

    private mutating func cancelTask() -> [Action] {
        guard isCancellable else { return [] }
        isCancellable = false
        return [.cancelTask]
    }
}

// What arrives.
extension RequestState {
    private mutating func accept(_ head: ResponseHead) {
        phase = .receiving
        heldHead = head
    }

    private mutating func receive(_ head: ResponseHead) -> [Action] {
        // Below 200 is not the response yet (RFC 9110 section 15.2).
        guard phase == .awaitingHead, outcome == nil, head.status.code >= 200 else { return [] }
        accept(head)
        return wakeOrAwaitBatch()
    }

    private mutating func receive(_ chunk: Data) -> [Action] {
        guard phase == .receiving, outcome == nil, !chunk.isEmpty else { return [] }
        switch receiveBuffer.add(chunk) {
        case .memory:
            guard heldHead != nil || isReaderWaiting else { return [] }
            return wakeOrAwaitBatch()
        case .file(let region):
            hasStores = true
            return [.store(chunk, region)]
        case .nowhere:
            return fail(.readerTooSlow)
        }
    }

    private mutating func stored(_ error: StorageError?) -> [Action] {
        guard hasStores else { return [] }
        if let error {
            // Whatever ended it: what was to be read before that is not there.
            outcome = nil
            return fail(.storage(error))
        }
        receiveBuffer.noteWritten()
        return heldHead != nil || isReaderWaiting ? wakeOrAwaitBatch() : []
    }

    private mutating func batchEnded() -> [Action] {
        isBatchAwaited = false
        return wake()
    }

    private mutating func wakeOrAwaitBatch() -> [Action] {
        guard waitsForBatches, receiveBuffer.available < Self.wakingSize else { return wake() }
        guard !isBatchAwaited else { return [] }
        isBatchAwaited = true
        return [.awaitBatch]
    }

    /// Code that waits gets what is here.
    private mutating func wake() -> [Action] {
        var actions: [Action] = []
        if let head = heldHead.take() { actions.append(.deliverHead(head)) }
        if isReaderWaiting, let segment = receiveBuffer.take() {
            isReaderWaiting = false
            actions.append(.deliver(segment))
        }
        return actions
    }

    /// The body is over; what has arrived can still be read.
    private mutating func end(_ outcome: Outcome) -> [Action] {
        self.outcome = outcome
        var actions = wake()
        if isReaderWaiting, receiveBuffer.isEmpty {
            isReaderWaiting = false
            actions += ending(outcome)
        }
        return actions
    }

    private func ending(_ outcome: Outcome) -> [Action] {
        switch outcome {
        case .finished: [.deliverEnd]
        case .failed(let failure): [.failReader(failure)]
        }
    }
}

// Who reads it.
extension RequestState {
    private mutating func readerWaits() -> [Action] {
        if let segment = receiveBuffer.take() { return [.deliver(segment)] }
        if let outcome, receiveBuffer.isEmpty { return ending(outcome) }
        isReaderWaiting = true
        return []
    }

    private mutating func readerLeft() -> [Action] {
        guard outcome != nil else { return fail(.cancelled) }
        // What is here and unread is as gone as what would still have come.
        if case .finished = outcome, !receiveBuffer.isEmpty { outcome = .failed(.cancelled) }
        return dropReceiveBuffer()
    }

    private mutating func dropReceiveBuffer() -> [Action] {
        receiveBuffer.removeAll()
        guard hasStores else { return [] }
        hasStores = false
        return [.dropStores]
    }

    /// Everything is over at once; what has arrived is released.
    private mutating func fail(_ failure: Failure) -> [Action] {
        guard outcome == nil else { return [] }
        outcome = .failed(failure)
        var actions = dropReceiveBuffer()
        if phase == .awaitingHead || heldHead != nil { actions.append(.failCaller(failure)) }
        heldHead = nil
        if isReaderWaiting { actions.append(.failReader(failure)) }
        isReaderWaiting = false
        return actions + cancelTask()
    }
}
