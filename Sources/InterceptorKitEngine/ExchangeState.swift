package import InterceptorKit

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The state of one request and its response, and of the two waiting tasks: events in, effects out, no I/O.
///
/// The caller of `send` waits for the head, once, and the body's reader for a chunk, many times. Whatever the order of
/// events, each wait ends exactly once.
package struct ExchangeState: Sendable {
    package enum Event: Sendable {
        /// The caller of `send` waits for the head.
        case callerWaits
        case head(ResponseHead)
        case chunk(Data)
        /// The engine receives no more until it is resumed.
        case receivingPaused
        /// Several other events in one turn of the engine.
        case arrived(Arrivals)
        /// The engine has delivered everything at hand.
        case batchEnded
        /// A chunk was stored in a file, or could not be. Precedes the engine's next event.
        case stored(Failure?)
        case completed(Ending)
        /// The exchange cannot continue, whatever the engine reports later.
        case failed(Failure)
        case callerCancelled
        case deadlinePassed
        case readerWaits
        /// The body was dropped or cancelled, or the task that reads it was cancelled.
        case readerLeft
        /// The engine did not take the request.
        case notStarted(Failure)
    }

    /// The arrivals since the last such event, in this order.
    package struct Arrivals: Sendable {
        package var failure: Failure?
        package var head: ResponseHead?
        /// No chunk is empty.
        package var chunks: [Data] = []
        package var isPaused = false
        package var ending: Ending?

        package init(head: ResponseHead? = nil, ending: Ending? = nil) {
            self.head = head
            self.ending = ending
        }
    }

    package struct Ending: Sendable {
        package var failure: Failure?
        package var trailers: HTTP.Headers?
        /// Whether everything has arrived but the engine does not know it and is still to be stopped.
        package var isEarly: Bool

        package init(
            _ failure: Failure? = nil,
            trailers: HTTP.Headers? = nil,
            isEarly: Bool = false
        ) {
            self.failure = failure
            self.trailers = trailers
            self.isEarly = isEarly
        }
    }

    /// The effects of one event, at most one of each.
    struct Effects: Sendable {
        var caller: Result<ResponseHead, Failure>?
        var reader: Result<ReceiveBuffer.Segment?, Failure>?
        var stored: (chunk: Data, region: ReceiveBuffer.Region)?
        var commands: Commands = []
    }

    /// Commands for the engine; see ``ExchangeDriver``.
    struct Commands: OptionSet, Sendable {
        let rawValue: UInt8

        static let start = Self(rawValue: 1)
        static let resumeReceiving = Self(rawValue: 2)
        static let awaitBatch = Self(rawValue: 4)
        static let dropFiles = Self(rawValue: 8)
        static let endUpload = Self(rawValue: 16)
        static let stop = Self(rawValue: 32)
    }

    private enum Phase { case idle, awaitingHead, receiving }

    // The size of arrivals that justifies waking a reader in the middle of a batch.
    private static let wakingSize = 64 * 1024

    private let waitsForBatches: Bool
    private var phase = Phase.idle
    private var outcome: Result<HTTP.Headers?, Failure>?
    private var buffer: ReceiveBuffer
    // A head that has arrived and whose caller is not woken yet.
    private var heldHead: ResponseHead?
    private var isBatchAwaited = false
    private var isReaderWaiting = false
    private var isPaused = false
    private var hasFiles = false
    // Whether there is something to stop: true from start to completion, and only until the first stop.
    private var isRunning = false

    /// - Parameters:
    ///   - limits: The limits for the part of the body that waits for its reader.
    ///   - waitsForBatches: Whether waiting tasks are woken at the end of the engine's batch, with everything in it,
    ///     rather than at each event.
    init(limits: ReceiveBuffer.Limits, waitsForBatches: Bool) {
        buffer = ReceiveBuffer(limits: limits)
        self.waitsForBatches = waitsForBatches
    }

    var isOpen: Bool { outcome == nil }

    var isReceiving: Bool { phase == .receiving }

    /// The bytes that wait for the reader.
    var unread: Int { buffer.available }

    mutating func takeWholeBody() -> Data? {
        guard case .success(nil)? = outcome, !isReaderWaiting, !hasFiles else { return nil }
        return buffer.takeOnly()
    }

    /// Whether a reader would not have to wait.
    var isReadable: Bool { buffer.available > 0 || (outcome != nil && buffer.isEmpty) }

    /// The fields after the content, once it was read to its end.
    var trailers: HTTP.Headers? {
        guard case .success(let trailers) = outcome, buffer.isEmpty else { return nil }
        return trailers
    }

    mutating func handle(_ event: Event) -> Effects {
        var effects = Effects()
        switch event {
        case .callerWaits: callerWaits(&effects)
        case .head(let head): receive(head, &effects)
        case .chunk(let chunk): receive(chunk, &effects)
        case .receivingPaused: receivingPaused(&effects)
        case .arrived(let arrivals): receive(arrivals, &effects)
        case .batchEnded: batchEnded(&effects)
        case .stored(let failure): stored(failure, &effects)
        case .completed(let ending): complete(ending, &effects)
        case .failed(let failure): fail(failure, &effects)
        case .callerCancelled: if isCallerWaiting { fail(.cancelled, &effects) }
        case .deadlinePassed: deadlinePassed(&effects)
        case .readerWaits: readerWaits(&effects)
        case .readerLeft: readerLeft(&effects)
        case .notStarted(let failure):
            isRunning = false
            fail(failure, &effects)
        }
        return effects
    }

    // Also true before the caller waits; it then gets its result when it does.
    private var isCallerWaiting: Bool { phase != .receiving || heldHead != nil }

    private mutating func callerWaits(_ effects: inout Effects) {
        phase = .awaitingHead
        if case .failure(let failure) = outcome {
            effects.caller = .failure(failure)
        } else {
            isRunning = true
            effects.commands.insert(.start)
        }
    }

    private mutating func deadlinePassed(_ effects: inout Effects) {
        if heldHead != nil { return wake(&effects) }
        if phase != .receiving { fail(.deadlinePassed, &effects) }
    }

    private mutating func complete(_ ending: Ending, _ effects: inout Effects) {
        if !ending.isEarly { isRunning = false }
        guard outcome == nil else { return }
        guard phase == .receiving else { return fail(ending.failure ?? .noResponse, &effects) }
        // Everything that has arrived can still be read.
        let outcome = ending.failure.map { .failure($0) } ?? Result.success(ending.trailers)
        self.outcome = outcome
        wake(&effects)
        if isReaderWaiting, buffer.isEmpty {
            isReaderWaiting = false
            effects.reader = outcome.map { _ in nil }
        }
        stop(&effects)
    }

    private mutating func stop(_ effects: inout Effects) {
        if isRunning { effects.commands.insert(.stop) }
        isRunning = false
    }

    /// Ends everything at once and releases what has arrived.
    private mutating func fail(_ failure: Failure, _ effects: inout Effects) {
        guard outcome == nil else { return }
        outcome = .failure(failure)
        dropBuffer(&effects)
        if phase == .awaitingHead || heldHead != nil { effects.caller = .failure(failure) }
        heldHead = nil
        if isReaderWaiting { effects.reader = .failure(failure) }
        isReaderWaiting = false
        effects.commands.insert(.endUpload)
        stop(&effects)
    }
}

// Arrivals.
extension ExchangeState {
    private mutating func receive(_ arrivals: Arrivals, _ effects: inout Effects) {
        if let failure = arrivals.failure { fail(failure, &effects) }
        if let head = arrivals.head { receive(head, &effects) }
        for chunk in arrivals.chunks { receive(chunk, &effects) }
        if arrivals.isPaused { receivingPaused(&effects) }
        if let ending = arrivals.ending { complete(ending, &effects) }
    }

    private mutating func receive(_ head: ResponseHead, _ effects: inout Effects) {
        // A status below 200 is not the response yet (RFC 9110 section 15.2).
        guard phase == .awaitingHead, outcome == nil, head.status.code >= 200 else { return }
        phase = .receiving
        heldHead = head
        wakeOrAwaitBatch(&effects)
    }

    private mutating func receive(_ chunk: Data, _ effects: inout Effects) {
        guard phase == .receiving, outcome == nil, !chunk.isEmpty else { return }
        switch buffer.add(chunk) {
        case .memory:
            wakeOrAwaitBatch(&effects)
        case .file(let region):
            hasFiles = true
            effects.stored = (chunk, region)
        case .nowhere:
            fail(.readerTooSlow, &effects)
        }
    }

    private mutating func stored(_ failure: Failure?, _ effects: inout Effects) {
        guard hasFiles else { return }
        if let failure {
            // The failure replaces any earlier outcome, because bytes before that end are missing.
            outcome = nil
            return fail(failure, &effects)
        }
        buffer.noteWritten()
        wakeOrAwaitBatch(&effects)
    }

    private mutating func receivingPaused(_ effects: inout Effects) {
        guard outcome == nil else { return }
        isPaused = true
        resumeIfRead(&effects)
    }

    // The reader keeps half of the buffer while the engine fills the other.
    private mutating func resumeIfRead(_ effects: inout Effects) {
        guard isPaused, isRunning, buffer.available <= buffer.limits.memory / 2 else { return }
        isPaused = false
        effects.commands.insert(.resumeReceiving)
    }

    private mutating func batchEnded(_ effects: inout Effects) {
        isBatchAwaited = false
        wake(&effects)
    }

    private mutating func wakeOrAwaitBatch(_ effects: inout Effects) {
        guard heldHead != nil || isReaderWaiting else { return }
        guard waitsForBatches, buffer.available < Self.wakingSize else { return wake(&effects) }
        if !isBatchAwaited { effects.commands.insert(.awaitBatch) }
        isBatchAwaited = true
    }

    private mutating func wake(_ effects: inout Effects) {
        if let head = heldHead.take() { effects.caller = .success(head) }
        if isReaderWaiting, let segment = buffer.take() {
            isReaderWaiting = false
            effects.reader = .success(segment)
        }
    }
}

// The body's reader.
extension ExchangeState {
    private mutating func readerWaits(_ effects: inout Effects) {
        if let segment = buffer.take() {
            effects.reader = .success(segment)
            resumeIfRead(&effects)
        } else if let outcome, buffer.isEmpty {
            effects.reader = outcome.map { _ in nil }
        } else {
            isReaderWaiting = true
        }
    }

    private mutating func readerLeft(_ effects: inout Effects) {
        guard outcome != nil else { return fail(.cancelled, &effects) }
        // Unread bytes are as lost as those that would still have come.
        if case .success = outcome, !buffer.isEmpty { outcome = .failure(.cancelled) }
        dropBuffer(&effects)
    }

    private mutating func dropBuffer(_ effects: inout Effects) {
        buffer.removeAll()
        if hasFiles { effects.commands.insert(.dropFiles) }
        hasFiles = false
    }
}
