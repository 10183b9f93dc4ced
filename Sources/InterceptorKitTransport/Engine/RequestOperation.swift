import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitEngine
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way: does in the session what its exchange decides.
final class RequestOperation: ExchangeDriver {
    private struct Contents {
        var task: (any EngineTask)?
        // What of the body waits for its reader beyond memory.
        var files: [Int: TemporaryFile] = [:]
        // The last head of several that may come, until it is the one that counts.
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

    /// Ends it when its response isn't whole after so long; to be called before it starts.
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
        // From here on it can be stopped; before, it was not there to be.
        if exchange.isOpen { task.resume() } else { cancelTask() }
    }

    func stop() { engine.perform { self.cancelTask() } }

    // Not while the engine waits for its redirect to be decided, nor the other way round: it ends the process
    // where the two cross (HTTPURLProtocol.swift:705). A redirect that is decided is over at once anyway.
    private func cancelTask() {
        let task = contents.withLock { contents -> (any EngineTask)? in
            if contents.isRedirectDecided { return nil }
            contents.isCancelled = true
            return contents.task.take()
        }
        task?.cancel()
    }

    /// Whether the engine may be told that it is not to follow a redirect; if not, it is about to be cancelled.
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

    /// Takes a final head, which another one may replace: behind a proxy the first is the proxy's, and after
    /// a 417 the engine may try again without the expectation. Of several the last one counts that bytes of a
    /// body or the end follow.
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

    /// The engine wants a credential and, on Linux, will not end the task without one.
    func challenge(_ head: ResponseHead) {
        deliver(.init(head: head, ending: .init(isEarly: true)))
    }

    /// The engine is done with the task.
    /// - Parameter head: What the engine knows of the response, handed out or not.
    func complete(_ failure: URLSessionFailure?, head: @autoclosure () -> ResponseHead?) {
        // With an error it was a proxy's, or is worth nothing.
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

    /// Ends it, whatever the engine would say.
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

// The files of what waits.
extension RequestOperation {
    func store(_ chunk: Data, in region: ReceiveBuffer.Region) {
        do throws(StorageError) {
            try file(region.file).write(chunk, at: region.range.lowerBound)
            handle(.stored(nil))
        } catch {
            handle(.stored(.engine(URLSessionFailure.storage(error))))
        }
    }

    // Only the engine's thread makes them.
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
