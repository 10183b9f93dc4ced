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

    private func cancelTask() { contents.withLock { $0.task.take() }?.cancel() }

    func awaitBatch() { engine.afterBatch { self.handle(.batchEnded) } }

    /// The engine wants a credential and, on Linux, will not end the task without one.
    func challenge(_ head: ResponseHead) {
        deliver(.init(head: head, ending: .init(isEarly: true)))
    }

    /// The engine is done with the task.
    /// - Parameter head: What the engine knows of the response, handed out or not.
    func complete(_ failure: URLSessionFailure?, head: @autoclosure () -> ResponseHead?) {
        if failure == nil, !exchange.isReceiving, let head = head(), head.status.code >= 200 {
            deliver(.init(head: head, ending: .init(.engine(URLSessionFailure.droppedBody))))
        } else {
            handle(.completed(.init(failure.map(Failure.engine))))
        }
        contents.withLock { $0.task = nil }
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
