import InterceptorKit
import InterceptorKitEngine
import Synchronization

/// A request in flight: carries out on the loop what its exchange decides.
final class RequestOperation: ExchangeDriver {
    let exchange: Exchange
    /// Host and port, for messages.
    let host: String
    let io: TransferIO
    let loop: EventLoop
    let pipe: UploadPipe?
    // Once the loop has the transfer, the loop itself releases its count.
    private let isReserved = Atomic(true)

    /// - Parameter loop: A loop that counts this transfer: see ``LoopGroup/reserve(sharesConnection:uploads:)``.
    init(_ io: TransferIO, host: String, loop: EventLoop) {
        self.io = io
        self.host = host
        self.loop = loop
        pipe = io.upload?.pipe
        exchange = Exchange(limits: .init(memory: loop.configuration.bufferLimit, files: nil))
    }

    deinit { if isReserved.load(ordering: .relaxed) { loop.release() } }

    func start() {
        if loop.post(.start(self)) { return isReserved.store(false, ordering: .relaxed) }
        handle(.notStarted(loop.isClosed ? .refused : .engine(CurlFailure.noThread)))
    }

    func stop() { _ = loop.post(.stop(self)) }

    func resumeReceiving() { _ = loop.post(.resumeReceiving(self)) }

    func endUpload() { pipe?.close() }

    func fail(_ failure: CurlFailure) { handle(.failed(.engine(failure))) }

    func error(for failure: any Error, isInBody: Bool) -> any Error {
        (failure as? CurlFailure)?.error(host: host, loop.configuration.settings) ?? failure
    }
}
