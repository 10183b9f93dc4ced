import Dispatch
import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way: carries out what its ``TaskState`` decides.
final class Exchange: Sendable {
    private struct Contents {
        var state: TaskState
        var task: URLSessionTask?
        var caller: CheckedContinuation<ResponseHead, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
        var mayHaveArrived = true
    }

    private enum Effect {
        case makeTask
        case startTask(URLSessionTask)
        case cancelTask(URLSessionTask)
        case answerCaller(
            CheckedContinuation<ResponseHead, any Error>,
            Result<ResponseHead, any Error>
        )
        case answerReader(CheckedContinuation<Data?, any Error>, Result<Data?, any Error>)
        case forget
    }

    let outgoing: OutgoingRequest
    private let registry: TaskRegistry
    private let contents: Lock<Contents>

    init(_ outgoing: OutgoingRequest, bufferLimit: Int, registry: TaskRegistry) {
        self.outgoing = outgoing
        self.registry = registry
        contents = Lock(Contents(state: TaskState(limit: bufferLimit)))
    }

    /// Sends the request and returns when the head is there.
    func head() async throws -> ResponseHead {
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
    func nextChunk() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if wait(as: continuation) { handle(.readerWaits) }
            }
        } onCancel: {
            handle(.readerLeft)
        }
    }

    func handle(_ event: TaskState.Event) {
        let effects = contents.withLock { contents in
            contents.state.handle(event).compactMap { effect(of: $0, on: &contents) }
        }
        for effect in effects { perform(effect) }
    }

    /// The engine is done with the task.
    /// - Parameters:
    ///   - error: What it says went wrong.
    ///   - mayHaveArrived: Whether the request may have reached the host whatever the error says.
    func complete(_ error: URLError?, mayHaveArrived: Bool) {
        contents.withLock { $0.mayHaveArrived = mayHaveArrived }
        handle(.completed(error))
        contents.withLock { $0.task = nil }
    }

    func attach(_ task: URLSessionTask) {
        contents.withLock { $0.task = task }
        handle(.taskMade)
    }

    // A body lets one reader at a time ask; a second one is told so rather than left waiting.
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

    private func effect(of action: TaskState.Action, on contents: inout Contents) -> Effect? {
        switch action {
        case .makeTask: .makeTask
        case .startTask: contents.task.map(Effect.startTask)
        case .cancelTask: contents.task.map(Effect.cancelTask)
        case .deliverHead(let head): answer(&contents.caller, .success(head))
        case .failCaller(let failure): answer(&contents.caller, .failure(error(failure, contents)))
        case .deliverChunk(let chunk): answer(&contents.reader, .success(chunk))
        case .deliverEnd: answer(&contents.reader, .success(nil))
        case .failReader(let failure): answer(&contents.reader, .failure(error(failure, contents)))
        case .forget: .forget
        }
    }

    private func answer(
        _ caller: inout CheckedContinuation<ResponseHead, any Error>?,
        _ result: Result<ResponseHead, any Error>
    ) -> Effect? {
        caller.take().map { .answerCaller($0, result) }
    }

    private func answer(
        _ reader: inout CheckedContinuation<Data?, any Error>?,
        _ result: Result<Data?, any Error>
    ) -> Effect? {
        reader.take().map { .answerReader($0, result) }
    }

    private func error(_ failure: TaskState.Failure, _ contents: Contents) -> any Error {
        failure.error(outgoing, mayHaveArrived: contents.mayHaveArrived)
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .makeTask:
            if let task = registry.makeTask(for: self) { attach(task) } else { handle(.closed) }
        case .startTask(let task): task.resume()
        case .cancelTask(let task): registry.cancel(task)
        case .answerCaller(let caller, let result): caller.resume(with: result)
        case .answerReader(let reader, let result): reader.resume(with: result)
        case .forget: registry.forget(self)
        }
    }
}
