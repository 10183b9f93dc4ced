import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an exchange wants of the session it is in; in tests, of a model of one.
protocol Engine: AnyObject, Sendable {
    /// Whether ``afterBatch(_:)`` means anything here.
    var signalsBatches: Bool { get }
    /// Counts an exchange; `false` if nothing can be sent any more.
    func begin(_ operation: RequestOperation) -> Bool
    /// Does soon, elsewhere and in order, what may wait for the engine.
    ///
    /// On Linux making, starting and cancelling a task wait for the queue of all sessions, which one
    /// hostile answer can keep for many seconds; and that queue's own thread would wait forever.
    func perform(_ action: @escaping @Sendable () -> Void)
    /// Makes the task of an exchange that was counted; `nil` only if it was not.
    func makeTask(for operation: RequestOperation) -> (any EngineTask)?
    /// Does something when the engine has handed out what it has at hand.
    func afterBatch(_ action: @escaping @Sendable () -> Void)
    /// The exchange has no task and will have none.
    func forget(_ operation: RequestOperation)
}

/// A transfer, not started when it is made; to be touched where ``Engine/perform(_:)`` says.
protocol EngineTask: AnyObject, Sendable {
    func resume()
    func cancel()
}

extension URLSessionTask: EngineTask {}
