package import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A request and its response: the state, its lock, and the waiting tasks.
package struct Exchange: ~Copyable, Sendable {
    // Not private: in a debug build, Swift 6.3 then cannot compile another module that releases it.
    struct Contents {
        var state: ExchangeState
        var caller: Wait<ResponseHead>?
        var reader: Wait<ReceiveBuffer.Segment?>?
        var readsWithoutWait = 0
    }

    // Chunks are at most 64 KiB, so a reader of a fast body keeps its thread for some milliseconds.
    fileprivate static let readsUntilYield = 16

    fileprivate let contents: Lock<Contents>

    /// - Parameters:
    ///   - limits: The limits for the part of the body that waits for its reader.
    ///   - waitsForBatches: Whether waiting tasks are woken when the engine has delivered everything at hand, rather
    ///     than at each event.
    package init(limits: ReceiveBuffer.Limits, waitsForBatches: Bool = false) {
        let state = ExchangeState(limits: limits, waitsForBatches: waitsForBatches)
        contents = Lock(Contents(state: state))
    }

    /// Whether nothing has ended the exchange yet.
    package var isOpen: Bool { contents.withLock { $0.state.isOpen } }

    /// Whether the head has arrived.
    package var isReceiving: Bool { contents.withLock { $0.state.isReceiving } }
}

extension ExchangeDriver {
    /// Sends the request and returns when the head has arrived, with its fields converted in this task.
    package nonisolated(nonsending) func head(
        before deadline: Runtime.Instant?,
        on runtime: Runtime,
        timer name: String
    ) async throws -> ResponseHead {
        let timer = deadline.map { deadline in
            runtime.timer(at: deadline, name) { self.handle(.deadlinePassed) }
        }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await Wait.value { wait in
                let wakeups = exchange.contents.withLock { contents in
                    contents.caller = wait
                    return Wakeups(contents.state.handle(.callerWaits), &contents)
                }
                perform(wakeups)
            }
        } onCancel: {
            handle(.callerCancelled)
        }
        .converted()
    }

    /// Returns the body, if all of it has arrived in one piece and nothing has read it; no reader may ask after that.
    package func takeWholeBody() -> Data? {
        exchange.contents.withLock { $0.state.takeWholeBody() }
    }

    package nonisolated(nonsending) func nextChunk() async throws -> Data? {
        switch try await nextSegment() {
        case .chunk(let chunk): chunk
        case .file(let region): try await read(region)
        case nil: nil
        }
    }

    package var trailers: HTTP.Headers? { exchange.contents.withLock { $0.state.trailers } }

    package func handle(_ event: ExchangeState.Event) {
        perform(
            exchange.contents.withLock { contents in
                Wakeups(contents.state.handle(event), &contents)
            }
        )
    }

    /// Takes the arrivals of one turn of the engine.
    /// - Returns: The bytes that wait for the reader.
    @discardableResult
    package func deliver(_ arrivals: ExchangeState.Arrivals) -> Int {
        let (wakeups, unread) = exchange.contents.withLock { contents in
            (
                Wakeups(contents.state.handle(.arrived(arrivals)), &contents),
                contents.state.unread
            )
        }
        perform(wakeups)
        return unread
    }

    private nonisolated(nonsending) func nextSegment() async throws -> ReceiveBuffer.Segment? {
        if Task.isCancelled {
            handle(.readerLeft)
            throw CancellationError()
        }
        if let (ready, isLong) = readWithoutWaiting() {
            // A body that arrives as fast as it is read would otherwise keep the thread forever.
            if isLong { await Task.yield() }
            return try ready.get()
        }
        return try await withTaskCancellationHandler {
            try await Wait.value { wait(as: $0) }
        } onCancel: {
            handle(.readerLeft)
        }
    }

    /// - Returns: The next segment, and whether this reader has had its thread for long.
    private func readWithoutWaiting() -> (Result<ReceiveBuffer.Segment?, any Error>, Bool)? {
        let (wakeups, isLong) = exchange.contents.withLock { contents -> (Wakeups?, Bool) in
            guard contents.reader == nil, contents.state.isReadable else { return (nil, false) }
            contents.readsWithoutWait &+= 1
            let isLong = contents.readsWithoutWait % Exchange.readsUntilYield == 0
            return (Wakeups(contents.state.handle(.readerWaits), &contents), isLong)
        }
        guard let wakeups, let result = wakeups.effects.reader else { return nil }
        perform(wakeups)
        return (result.mapError { $0.error(for: self, isInBody: true) }, isLong)
    }

    // A body lets one reader at a time ask; a second one gets an error rather than waiting.
    private func wait(as reader: Wait<ReceiveBuffer.Segment?>) {
        let wakeups = exchange.contents.withLock { contents -> Wakeups? in
            guard contents.reader == nil else { return nil }
            contents.reader = reader
            return Wakeups(contents.state.handle(.readerWaits), &contents)
        }
        if let wakeups { return perform(wakeups) }
        let error = TransportError(.other, "The response's body is already being read.")
        reader.resume(with: .failure(error))
    }

    private func perform(_ wakeups: Wakeups) {
        let effects = wakeups.effects
        if let caller = wakeups.caller, let head = effects.caller {
            caller.resume(with: head.mapError { $0.error(for: self, isInBody: false) })
        }
        if let reader = wakeups.reader, let segment = effects.reader {
            reader.resume(with: segment.mapError { $0.error(for: self, isInBody: true) })
        }
        if let (chunk, region) = effects.stored { store(chunk, in: region) }
        let commands = effects.commands
        if commands.isEmpty { return }
        if commands.contains(.start) { start() }
        if commands.contains(.resumeReceiving) { resumeReceiving() }
        if commands.contains(.awaitBatch) { awaitBatch() }
        if commands.contains(.dropFiles) { dropFiles() }
        if commands.contains(.endUpload) { endUpload() }
        if commands.contains(.stop) { stop() }
    }
}

/// Effects with the tasks that wait for them, taken out under the lock to be woken outside of it.
private struct Wakeups: Sendable {
    let effects: ExchangeState.Effects
    let caller: Wait<ResponseHead>?
    let reader: Wait<ReceiveBuffer.Segment?>?

    init(_ effects: ExchangeState.Effects, _ contents: inout Exchange.Contents) {
        self.effects = effects
        caller = effects.caller == nil ? nil : contents.caller.take()
        reader = effects.reader == nil ? nil : contents.reader.take()
    }
}
