import Dispatch
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitEngine
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The exchanges under way, and the session's end.
///
/// On Linux the process ends if a task is created in an invalidated session, or if `invalidateAndCancel` meets traffic.
/// An exchange is therefore counted before its task is created, and the session is invalidated once it is closed and
/// the count is zero.
final class TaskRegistry: Engine {
    private struct Contents {
        var makeSession: (@Sendable () -> URLSession)?
        var session: URLSession?
        var live: [ObjectIdentifier: RequestOperation] = [:]
        var byTask: [ObjectIdentifier: RequestOperation] = [:]
        // Bodies that are read before anything is sent, including streams that outlive their call.
        var bodies: [ObjectIdentifier: BodyReading] = [:]
        var kept: KeptConnections
        // Tasks that may use a kept connection.
        var mayUseKept: Set<ObjectIdentifier> = []
        var isClosed = false
        var waitingForIdle: [CheckedContinuation<Void, Never>] = []

        var isIdle: Bool { live.isEmpty && bodies.isEmpty }

        mutating func takeWaitingIfIdle() -> [CheckedContinuation<Void, Never>] {
            guard isIdle else { return [] }
            defer { waitingForIdle = [] }
            return waitingForIdle
        }
    }

    private let contents: Lock<Contents>
    private let queue = DispatchQueue(label: "InterceptorKit.URLSessionTransport")

    #if canImport(FoundationNetworking)
    let signalsBatches = true
    private let batches = BatchSignal()
    #else
    let signalsBatches = false
    #endif

    /// - Parameter connectionsPerHost: The largest number of connections to one host. Defaults to 6.
    init(connectionsPerHost: Int = 6) {
        contents = Lock(Contents(kept: KeptConnections(perHostLimit: connectionsPerHost)))
    }

    var liveCount: Int { contents.withLock { $0.live.count } }

    func open(_ makeSession: @escaping @Sendable () -> URLSession) {
        let session = makeSession()
        contents.withLock { contents in
            contents.makeSession = makeSession
            contents.session = session
        }
    }

    /// Counts an exchange; `false` if the transport is closed.
    func begin(_ operation: RequestOperation) -> Bool {
        contents.withLock { contents in
            guard !contents.isClosed else { return false }
            contents.live[ObjectIdentifier(operation)] = operation
            return true
        }
    }

    func perform(_ action: @escaping @Sendable () -> Void) { queue.async(execute: action) }

    func makeTask(for operation: RequestOperation) -> (any EngineTask)? {
        let (shared, makeSession) = contents.withLock { contents in
            let isCounted = contents.live[ObjectIdentifier(operation)] != nil
            return isCounted ? (contents.session, contents.makeSession) : (nil, nil)
        }
        let outgoing = operation.outgoing
        guard let session = outgoing.needsOwnConnection ? makeSession?() : shared else {
            return nil
        }
        // Lets the only task finish; its connection closes with the session.
        defer { if outgoing.needsOwnConnection { session.finishTasksAndInvalidate() } }
        let task =
            if let file = outgoing.file {
                session.uploadTask(with: outgoing.urlRequest, fromFile: file)
            } else {
                session.dataTask(with: outgoing.urlRequest)
            }
        contents.withLock { contents in
            contents.byTask[ObjectIdentifier(task)] = operation
            if !outgoing.needsOwnConnection, contents.kept.begin(outgoing.host) {
                contents.mayUseKept.insert(ObjectIdentifier(task))
            }
        }
        return task
    }

    func operation(of task: URLSessionTask) -> RequestOperation? {
        contents.withLock { $0.byTask[ObjectIdentifier(task)] }
    }

    /// Counts a body that is read before it is sent, until its stream is released; `false` if the transport is closed.
    func begin(_ body: BodyReading) -> Bool {
        contents.withLock { contents in
            if !contents.isClosed { contents.bodies[ObjectIdentifier(body)] = body }
            return !contents.isClosed
        }
    }

    func forget(_ body: BodyReading) {
        let waiting = contents.withLock { contents in
            contents.bodies[ObjectIdentifier(body)] = nil
            return contents.takeWaitingIfIdle()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Ends a task over the shared session; returns whether it may have used a kept connection.
    func end(_ task: URLSessionTask, to host: String, _ ending: KeptConnections.Ending) -> Bool {
        let (mayHave, mayWait) = contents.withLock { contents in
            let mayHave = contents.mayUseKept.remove(ObjectIdentifier(task)) != nil
            return (contents.kept.end(host, ending) || mayHave, contents.kept.mayWait(host))
        }
        #if canImport(FoundationNetworking)
        if mayWait, ending != .whole { queue.async { self.wakeWaitingTasks() } }
        #endif
        return mayHave
    }

    #if canImport(FoundationNetworking)
    // When a transfer is stopped, libcurl 8.14 does not report that a transfer that waits for its connection can
    // continue. Foundation checks only when it is told to, so the waiting transfer stalls until another event in the
    // session. This task is that event; it ends before anything is sent.
    private func wakeWaitingTasks() {
        guard let nowhere = Self.nowhere, let session = contents.withLock({ $0.session }) else {
            return
        }
        let task = session.dataTask(with: nowhere)
        task.resume()
        task.cancel()
    }

    private static let nowhere = URL(string: "http://127.0.0.1:1/")
    #endif

    func afterBatch(_ action: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
        batches.afterBatch(action)
        #else
        action()
        #endif
    }

    func forget(_ operation: RequestOperation) { forget(operation, task: nil) }

    /// Removes an exchange whose task is complete or was never created.
    func forget(_ operation: RequestOperation, task: URLSessionTask?) {
        let waiting = contents.withLock { contents in
            contents.live[ObjectIdentifier(operation)] = nil
            if let task { contents.byTask[ObjectIdentifier(task)] = nil }
            return contents.takeWaitingIfIdle()
        }
        for continuation in waiting { continuation.resume() }
        invalidateIfOver()
    }

    /// Refuses new exchanges and, when cancelling, ends those under way.
    func close(cancelling: Bool) {
        let (live, bodies) = contents.withLock { contents in
            contents.isClosed = true
            return (Array(contents.live.values), Array(contents.bodies.values))
        }
        if cancelling {
            for operation in live { operation.handle(.failed(.closed)) }
            for body in bodies { body.close() }
        }
        invalidateIfOver()
    }

    /// Returns when no exchange is under way and no body is being read.
    func idle() async {
        await withCheckedContinuation { continuation in
            let isIdle = contents.withLock { contents in
                if contents.isIdle { return true }
                contents.waitingForIdle.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    private func invalidateIfOver() {
        let session: URLSession? = contents.withLock { contents in
            guard contents.isClosed, contents.live.isEmpty else { return nil }
            contents.makeSession = nil
            return contents.session.take()
        }
        guard let session else { return }
        queue.async { session.finishTasksAndInvalidate() }
    }
}
