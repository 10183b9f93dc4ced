import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way: carries out what its ``RequestState`` decides.
final class RequestOperation: Sendable {
    private struct Contents {
        var state: RequestState
        var task: (any EngineTask)?
        var caller: CheckedContinuation<ResponseHead, any Error>?
        var reader: CheckedContinuation<ReceiveBuffer.Segment?, any Error>?
        var stores: [Int: TemporaryFile] = [:]
        var timer: DeadlineTimer?
        var mayHaveArrived = true
    }

    private enum Effect {
        case awaitEngine
        case makeTask
        case startTask(any EngineTask)
        case cancelTask(any EngineTask)
        case resumeCaller(
            CheckedContinuation<ResponseHead, any Error>,
            Result<ResponseHead, any Error>,
            DeadlineTimer?
        )
        case resumeReader(
            CheckedContinuation<ReceiveBuffer.Segment?, any Error>,
            Result<ReceiveBuffer.Segment?, any Error>
        )
        case awaitBatch
        case store(Data, ReceiveBuffer.Region)
        case forget
    }

    let outgoing: OutgoingRequest
    private let engine: any Engine
    private let contents: Lock<Contents>

    init(_ outgoing: OutgoingRequest, limits: ReceiveBuffer.Limits, engine: any Engine) {
        self.outgoing = outgoing
        self.engine = engine
        let state = RequestState(limits: limits, waitsForBatches: engine.signalsBatches)
        contents = Lock(Contents(state: state))
    }

    /// Sends the request and returns when the head is there.
    func head(before deadline: Runtime.Instant?, on runtime: Runtime) async throws -> ResponseHead {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                contents.withLock { $0.caller = continuation }
                if let deadline { setTimer(at: deadline, on: runtime) }
                handle(.callerWaits)
            }
        } onCancel: {
            handle(.callerCancelled)
        }
    }

    /// The next of the body, or `nil` at its end.
    func nextSegment() async throws -> ReceiveBuffer.Segment? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if wait(as: continuation) { handle(.readerWaits) }
            }
        } onCancel: {
            handle(.readerLeft)
        }
    }

    /// What of the body was kept in a file.
    @concurrent
    func read(_ region: ReceiveBuffer.Region) async throws -> Data {
        let store = contents.withLock { contents in
            for file in contents.stores.keys where file < region.file {
                contents.stores[file] = nil
            }
            return contents.stores[region.file]
        }
        guard let store else { throw CancellationError() }
        do {
            return try store.read(region.range)
        } catch {
            handle(.readerLeft)
            throw storageError(error)
        }
    }

    func handle(_ event: RequestState.Event) {
        let effects = contents.withLock { contents in
            contents.state.handle(event).compactMap { effect(of: $0, on: &contents) }
        }
        for effect in effects { perform(effect) }
    }

    /// The engine is done with the task.
    /// - Parameters:
    ///   - error: What it says went wrong.
    ///   - mayHaveArrived: Whether the request may have reached the host whatever the error says.
    ///   - head: What the engine knows of the response, handed out or not.
    func complete(_ error: URLError?, mayHaveArrived: Bool, head: @autoclosure () -> ResponseHead?)
    {
        let isUnseen = contents.withLock { contents in
            contents.mayHaveArrived = mayHaveArrived
            return !contents.state.isReceiving
        }
        handle(.completed(error, unseen: isUnseen ? head() : nil))
        contents.withLock { $0.task = nil }
        outgoing.spool?.remove()
    }

    func attach(_ task: any EngineTask) {
        contents.withLock { $0.task = task }
        handle(.taskMade)
    }

    private func setTimer(at deadline: Runtime.Instant, on runtime: Runtime) {
        let timer = runtime.timer(at: deadline, "URLSessionTransport deadline") {
            self.handle(.deadlinePassed)
        }
        contents.withLock { $0.timer = timer }
    }

    // A body lets one reader at a time ask; a second one gets an error rather than waiting.
    private func wait(as reader: CheckedContinuation<ReceiveBuffer.Segment?, any Error>) -> Bool {
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
}

// From action to effect, under the lock; and carrying effects out, outside it.
extension RequestOperation {
    private func effect(of action: RequestState.Action, on contents: inout Contents) -> Effect? {
        switch action {
        case .awaitEngine: return .awaitEngine
        case .makeTask: return .makeTask
        case .startTask: return contents.task.map(Effect.startTask)
        case .cancelTask: return contents.task.map(Effect.cancelTask)
        case .deliverHead(let head): return resumeCaller(&contents, .success(head))
        case .failCaller(let failure):
            return resumeCaller(&contents, .failure(error(failure, contents)))
        case .deliver(let segment): return resumeReader(&contents, .success(segment))
        case .deliverEnd: return resumeReader(&contents, .success(nil))
        case .failReader(let failure):
            return resumeReader(&contents, .failure(error(failure, contents)))
        case .awaitBatch: return .awaitBatch
        case .store(let data, let region): return .store(data, region)
        case .dropStores:
            contents.stores = [:]
            return nil
        case .forget: return .forget
        }
    }

    private func resumeCaller(
        _ contents: inout Contents,
        _ result: Result<ResponseHead, any Error>
    ) -> Effect? {
        guard let caller = contents.caller.take() else { return nil }
        return .resumeCaller(caller, result, contents.timer.take())
    }

    private func resumeReader(
        _ contents: inout Contents,
        _ result: Result<ReceiveBuffer.Segment?, any Error>
    ) -> Effect? {
        contents.reader.take().map { .resumeReader($0, result) }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .awaitEngine: engine.perform { self.handle(.engineFree) }
        case .makeTask:
            if let task = engine.makeTask(for: self) { attach(task) } else { handle(.closed) }
        case .startTask(let task): task.resume()
        case .cancelTask(let task): engine.perform { task.cancel() }
        case .resumeCaller(let caller, let result, let timer):
            timer?.cancel()
            caller.resume(with: result)
        case .resumeReader(let reader, let result): reader.resume(with: result)
        case .awaitBatch: engine.afterBatch { self.handle(.batchEnded) }
        case .store(let data, let region): store(data, in: region)
        case .forget: engine.forget(self)
        }
    }

    private func store(_ data: Data, in region: ReceiveBuffer.Region) {
        do throws(StorageError) {
            try file(region.file).write(data, at: region.range.lowerBound)
            handle(.stored(nil))
        } catch {
            handle(.stored(error))
        }
    }

    // Only the engine's thread makes them.
    private func file(_ number: Int) throws(StorageError) -> TemporaryFile {
        if let file = contents.withLock({ $0.stores[number] }) { return file }
        let file = try TemporaryFile(in: outgoing.temporaryFolder)
        file.name.remove()
        contents.withLock { $0.stores[number] = file }
        return file
    }

    private func error(_ failure: RequestState.Failure, _ contents: Contents) -> any Error {
        failure.error(
            outgoing,
            isInBody: contents.state.isReceiving,
            mayHaveArrived: contents.mayHaveArrived
        )
    }

    private func storageError(_ failure: StorageError) -> any Error {
        RequestState.Failure.storage(failure).error(outgoing, isInBody: true, mayHaveArrived: true)
    }
}
