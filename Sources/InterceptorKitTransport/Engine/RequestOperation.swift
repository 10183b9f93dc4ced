import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitEngine
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in flight: carries out in the session what its exchange decides.
final class RequestOperation: ExchangeDriver {
    private struct Contents {
        var task: (any EngineTask)?
        // The part of the body that waits for its reader and does not fit in memory.
        var files: [Int: TemporaryFile] = [:]
        // The last of several possible heads, until it is known to be the final one.
        var heldHead: ResponseHead?
        var isCancelled = false
        var isRedirectDecided = false
        var timer: DeadlineTimer?
    }

    let exchange: Exchange
    let outgoing: OutgoingRequest
    private let engine: any Engine
    private let contents = Lock(Contents())

    var host: String { outgoing.host }

    init(_ outgoing: OutgoingRequest, limits: ReceiveBuffer.Limits, engine: any Engine) {
        self.outgoing = outgoing
        self.engine = engine
        exchange = Exchange(limits: limits, waitsForBatches: engine.signalsBatches)
    }

    /// Fails the exchange when its response isn't whole within a limit; must be called before the start.
    func end(within limit: Duration?, on runtime: Runtime) {
        guard let limit else { return }
        let end = runtime.now.advanced(by: limit)
        let timer = runtime.timer(at: end, "URLSessionTransport resource timeout") { [weak self] in
            self?.fail(.tookTooLong(limit))
        }
        contents.withLock { $0.timer = timer }
    }

    func start() {
        guard engine.begin(self) else { return handle(.notStarted(.refused)) }
        engine.perform { self.startTask() }
    }

    private func startTask() {
        guard exchange.isOpen else { return engine.forget(self) }
        guard let task = engine.makeTask(for: self) else { return handle(.notStarted(.closed)) }
        contents.withLock { $0.task = task }
        // A stop takes effect only from here on, since there was no task before.
        if exchange.isOpen { task.resume() } else { cancelTask() }
    }

    func stop() { engine.perform { self.cancelTask() } }

    // A cancellation must not cross the decision about a redirect in either direction: that ends the process
    // (HTTPURLProtocol.swift:705). After the decision the task is about to end anyway.
    private func cancelTask() {
        let task = contents.withLock { contents -> (any EngineTask)? in
            if contents.isRedirectDecided { return nil }
            contents.isCancelled = true
            return contents.task.take()
        }
        task?.cancel()
    }

    /// Returns whether the engine may be told not to follow a redirect; if not, the task is about to be cancelled.
    func decideRedirect() -> Bool {
        #if canImport(FoundationNetworking)
        contents.withLock { contents in
            contents.isRedirectDecided = !contents.isCancelled
            return contents.isRedirectDecided
        }
        #else
        true
        #endif
    }

    func awaitBatch() { engine.afterBatch { self.handle(.batchEnded) } }

    /// Takes a final head, which another may replace: behind a proxy the first is the proxy's, and after a 417 the
    /// engine may try again without the expectation. The head that counts is the last before bytes of a body or the
    /// end.
    func receive(_ head: ResponseHead) {
        let isHeld = outgoing.mayBeTunnelled || outgoing.hasExpectation && head.status == 417
        if outgoing.mayGetSeveralHeads { contents.withLock { $0.heldHead = isHeld ? head : nil } }
        if !isHeld { release(head) }
    }

    func receive(_ chunk: Data) {
        releaseHeldHead()
        handle(.chunk(chunk))
    }

    private func releaseHeldHead() {
        guard outgoing.mayGetSeveralHeads else { return }
        if let head = contents.withLock({ $0.heldHead.take() }) { release(head) }
    }

    private func release(_ head: ResponseHead) {
        handle(.head(head))
    }

    /// Ends the response early: the engine wants a credential and, on Linux, does not end the task without one.
    func challenge(_ head: ResponseHead) {
        deliver(.init(head: head, ending: .init(isEarly: true)))
    }

    /// Ends the exchange after the engine has finished the task.
    /// - Parameter head: The engine's response head, whether or not it was delivered.
    func complete(_ failure: URLSessionFailure?, head: @autoclosure () -> ResponseHead?) {
        // On an error a held head was a proxy's, or is of no use.
        if failure == nil { releaseHeldHead() }
        if failure == nil, !exchange.isReceiving, let head = head(), head.status.code >= 200 {
            deliver(.init(head: head, ending: .init(.engine(URLSessionFailure.droppedBody))))
        } else {
            handle(.completed(.init(failure.map(Failure.engine))))
        }
        let timer = contents.withLock { contents in
            contents.task = nil
            return contents.timer.take()
        }
        timer?.cancel()
        outgoing.spool?.remove()
    }

    /// Ends the exchange, whatever the engine reports later.
    /// - Returns: The error for the caller.
    @discardableResult
    func fail(_ failure: URLSessionFailure) -> any Error {
        handle(.failed(.engine(failure)))
        return failure.error(outgoing, isInBody: false)
    }

    func error(for failure: any Error, isInBody: Bool) -> any Error {
        (failure as? URLSessionFailure)?.error(outgoing, isInBody: isInBody) ?? failure
    }
}

// The temporary files for waiting data.
extension RequestOperation {
    func store(_ chunk: Data, in region: ReceiveBuffer.Region) {
        do throws(StorageError) {
            try file(region.file).write(chunk, at: region.range.lowerBound)
            handle(.stored(nil))
        } catch {
            handle(.stored(.engine(URLSessionFailure.storage(error))))
        }
    }

    // Only the engine's thread creates files.
    private func file(_ number: Int) throws(StorageError) -> TemporaryFile {
        if let file = contents.withLock({ $0.files[number] }) { return file }
        let file = try TemporaryFile(in: outgoing.temporaryFolder)
        file.name.remove()
        contents.withLock { $0.files[number] = file }
        return file
    }

    @concurrent
    func read(_ region: ReceiveBuffer.Region) async throws -> Data {
        let file = contents.withLock { contents in
            for number in contents.files.keys where number < region.file {
                contents.files[number] = nil
            }
            return contents.files[region.file]
        }
        guard let file else { throw CancellationError() }
        do throws(StorageError) {
            return try file.read(region.range)
        } catch {
            handle(.readerLeft)
            throw URLSessionFailure.storage(error).error(outgoing, isInBody: true)
        }
    }

    func dropFiles() { contents.withLock { $0.files = [:] } }
}
