import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The operations of a session that an exchange needs; tests use a model of a session.
protocol Engine: AnyObject, Sendable {
    /// Whether ``afterBatch(_:)`` has an effect.
    var signalsBatches: Bool { get }
    /// Counts an exchange; `false` if nothing can be sent any more.
    func begin(_ operation: RequestOperation) -> Bool
    /// Runs actions soon, in order, on another queue that may wait for the engine.
    ///
    /// On Linux, creating, starting and cancelling a task wait for the queue of all sessions, which one hostile
    /// response can block for many seconds; on that queue's own thread the wait would never end.
    func perform(_ action: @escaping @Sendable () -> Void)
    /// Creates the task of a counted exchange; `nil` only if it was not counted.
    func makeTask(for operation: RequestOperation) -> (any EngineTask)?
    /// Runs an action when the engine has delivered everything that it has at hand.
    func afterBatch(_ action: @escaping @Sendable () -> Void)
    /// Removes an exchange that has no task and will have none.
    func forget(_ operation: RequestOperation)
}

/// A transfer that is created suspended; to be used only within ``Engine/perform(_:)``.
protocol EngineTask: AnyObject, Sendable {
    func resume()
    func cancel()
}

extension URLSessionTask: EngineTask {}
