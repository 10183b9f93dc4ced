import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One request on its way: carries out what its ``RequestState`` decides.
final class RequestOperation: Sendable {
    private struct Contents {
        var state: RequestState
        var caller: CheckedContinuation<ResponseHead, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
        var pump: Task<Void, Never>?
        var hasEnded = false
    }

    /// Host and port, for messages.
    let host: String
    let io: TransferIO
    let loop: EventLoop
    /// Where the request's body comes through, if it is a stream.
    private let pipe: UploadPipe?
    private let contents: Lock<Contents>

    init(_ io: TransferIO, host: String, loop: EventLoop) {
        self.io = io
        self.host = host
        self.loop = loop
        pipe = io.upload?.pipe
        contents = Lock(Contents(state: RequestState(limit: loop.configuration.bufferLimit)))
    }

    /// Sends the request and returns when the head is there.
    nonisolated(nonsending) func head() async throws -> ResponseHead {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                contents.withLock { $0.caller = continuation }
                handle(.callerWaits)
            }
        } onCancel: {
            handle(.callerCancelled)
        }
    }

    /// The next chunk of the body, or `nil` at its end.
    nonisolated(nonsending) func nextChunk() async throws -> Data? {
        if let ready = readWithoutWaiting() { return try ready.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if wait(as: continuation) { handle(.readerWaits) }
            }
        } onCancel: {
            handle(.readerLeft)
        }
    }

    var trailers: HTTP.Headers? { contents.withLock { $0.state.trailers } }

    func handle(_ event: RequestState.Event) {
        perform(
            contents.withLock { contents in
                let effects = contents.state.handle(event)
                return Wakeups(effects, &contents)
            }
        )
    }

    /// Takes what has arrived in one round of the loop.
    /// - Returns: The bytes that wait for the reader.
    func deliver(_ arrivals: TransferIO.Arrivals) -> Int {
        let (wakeups, unread) = contents.withLock { contents in
            var effects = RequestState.Effects()
            if let failure = arrivals.failure {
                contents.state.handle(.failed(failure), &effects)
            }
            if let head = arrivals.head { contents.state.handle(.head(head), &effects) }
            if let chunk = arrivals.chunk { contents.state.handle(.chunk(chunk), &effects) }
            if arrivals.isPaused { contents.state.handle(.receivingPaused, &effects) }
            if let ending = arrivals.ending {
                contents.state.handle(
                    .completed(ending.failure, trailers: ending.trailers),
                    &effects
                )
            }
            return (Wakeups(effects, &contents), contents.state.unread)
        }
        perform(wakeups)
        return unread
    }

    /// Starts the task that reads the request's body stream; it ends with the transfer, which may be
    /// after `send` has returned, since a response may begin while the request is still sent.
    func startPump(of body: HTTP.Body, on runtime: Runtime) {
        guard let pipe else { return }
        let pump = runtime.start("CurlTransport upload") { await self.pump(body, into: pipe) }
        let hasEnded = contents.withLock { contents in
            if !contents.hasEnded { contents.pump = pump }
            return contents.hasEnded
        }
        if hasEnded { pump.cancel() }
    }

    /// Nothing is sent any more.
    func endUpload() {
        guard let pipe else { return }
        pipe.close()
        let pump = contents.withLock { contents in
            contents.hasEnded = true
            return contents.pump.take()
        }
        pump?.cancel()
    }

    private func readWithoutWaiting() -> Result<Data?, any Error>? {
        guard !Task.isCancelled else { return nil }
        let wakeups = contents.withLock { contents -> Wakeups? in
            guard contents.reader == nil, contents.state.isReadable else { return nil }
            return Wakeups(contents.state.handle(.readerWaits), &contents)
        }
        guard let wakeups, let result = wakeups.result else { return nil }
        perform(wakeups)
        return result.mapError { $0.error(host: host, loop.configuration) }
    }

    // A body lets one reader at a time ask; a second one gets an error rather than waiting.
    private func wait(as reader: CheckedContinuation<Data?, any Error>) -> Bool {
        let isFree = contents.withLock { contents in
            guard contents.reader == nil else { return false }
            contents.reader = reader
            return true
        }
        if !isFree {
            reader.resume(
                throwing: TransportError(.other, "The response's body is already being read.")
            )
        }
        return isFree
    }

    /// Effects with the tasks that wait for them, taken out of the lock to be woken outside of it.
    private struct Wakeups {
        var head: Result<ResponseHead, Failure>?
        var result: Result<Data?, Failure>?
        var caller: CheckedContinuation<ResponseHead, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
        var command: RequestState.Command?
        var hasFailed = false

        init(_ effects: RequestState.Effects, _ contents: inout Contents) {
            head = effects.caller
            result = effects.reader
            command = effects.command
            if case .failure = head { hasFailed = true }
            if command == .stop { hasFailed = true }
            if head != nil { caller = contents.caller.take() }
            if result != nil { reader = contents.reader.take() }
        }
    }

    private func perform(_ wakeups: Wakeups) {
        if let caller = wakeups.caller, let head = wakeups.head {
            caller.resume(with: head.mapError { $0.error(host: host, loop.configuration) })
        }
        if let reader = wakeups.reader, let result = wakeups.result {
            reader.resume(with: result.mapError { $0.error(host: host, loop.configuration) })
        }
        if wakeups.hasFailed { endUpload() }
        guard let command = wakeups.command else { return }
        switch command {
        case .start:
            if !loop.post(.start(self)) {
                handle(.notStarted(loop.isClosed ? .refused : .noThread))
            }
        case .stop: _ = loop.post(.stop(self))
        case .resumeReceiving: _ = loop.post(.resumeReceiving(self))
        }
    }
}
