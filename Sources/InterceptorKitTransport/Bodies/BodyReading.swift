import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The reading of a request's body before it is sent, in a task of its own: a stream that stands still
/// and ignores cancellation holds up neither the caller's cancellation nor the call's deadline.
///
/// The registry owns it until the stream is released, which may be after the call.
final class BodyReading: Sendable {
    private struct Contents {
        var caller: CheckedContinuation<SpooledBody, any Error>?
        var result: Result<SpooledBody, any Error>?
        var reader: Task<Void, Never>?
    }

    private let body: HTTP.Body
    private let limits: SpooledBody.Limits
    private let host: String
    private let contents = Lock(Contents())

    /// - Parameter host: Where it is to go, for messages.
    init(_ body: HTTP.Body, within limits: SpooledBody.Limits, for host: String) {
        self.body = body
        self.limits = limits
        self.host = host
    }

    /// Reads it to its end, once.
    /// - Throws: As `SpooledBody.init(reading:within:)`; `CancellationError` and `TransportError` as soon
    ///   as the caller is cancelled, the deadline passes or the transport is closed.
    func value(in registry: TaskRegistry, call: Call) async throws -> SpooledBody {
        guard registry.begin(self) else { throw TransportError.closedBeforeSending(host: host) }
        start(in: registry, on: call.runtime)
        let timer = call.deadline.map { deadline in
            call.runtime.timer(at: deadline, "URLSessionTransport request body") { [host] in
                self.end(.failure(TransportError.deadlinePassedBeforeSending(host: host)))
            }
        }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                let result = contents.withLock { contents in
                    if contents.result == nil { contents.caller = caller }
                    return contents.result
                }
                if let result { caller.resume(with: result) }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    /// The transport is closed.
    func close() { end(.failure(TransportError.closedBeforeSending(host: host))) }

    private func start(in registry: TaskRegistry, on runtime: Runtime) {
        let reader = runtime.start("URLSessionTransport request body") { [self] in
            do {
                end(.success(try await SpooledBody(reading: body, within: limits)))
            } catch is CancellationError {
                end(.failure(bodyCancelled))
            } catch {
                end(.failure(error))
            }
            registry.forget(self)
        }
        let isOver = contents.withLock { contents in
            contents.reader = reader
            return contents.result != nil
        }
        if isOver { reader.cancel() }
    }

    // The first end counts; the reader's own makes cancelling it mean nothing.
    private func end(_ result: Result<SpooledBody, any Error>) {
        let (caller, reader) = contents.withLock { contents in
            guard contents.result == nil else {
                return (
                    nil as CheckedContinuation<SpooledBody, any Error>?, nil as Task<Void, Never>?
                )
            }
            contents.result = result
            return (contents.caller.take(), contents.reader)
        }
        caller?.resume(with: result)
        reader?.cancel()
    }

    private var bodyCancelled: TransportError {
        TransportError(
            .other,
            "The request's body was cancelled while it was read; nothing was sent.",
            isUnsent: true
        )
    }
}
