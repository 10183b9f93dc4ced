import CInterceptorKitCurl
import InterceptorKit

/// What the loop's thread does, round after round. It holds every transfer whose handle libcurl has.
struct LoopRound {
    private let loop: EventLoop
    private let multi: Multi
    private let touched: TouchedTransfers
    private var transfers: [UInt: Transfer] = [:]
    private var returned: [Easy] = []
    private var over = 0
    private var silence: SilenceWatch
    private var isClosing = false

    init(_ loop: EventLoop, _ multi: Multi, _ touched: TouchedTransfers) {
        self.loop = loop
        self.multi = multi
        self.touched = touched
        silence = SilenceWatch(limit: loop.configuration.idleTimeout)
    }

    consuming func run() {
        while true {
            let (commands, phase) = loop.takeCommands()
            for command in commands { carryOut(command) }
            if phase == .closing { closeAll() }
            multi.perform()
            completeTransfers()
            handOver()
            endSilentTransfers()
            if phase != .running, transfers.isEmpty, loop.end() { break }
            if loop.fallAsleep(in: phase) {
                multi.wait(
                    milliseconds: transfers.isEmpty ? Int.max : silence.millisecondsToNextCheck
                )
            }
        }
        multi.free()
    }

    private mutating func carryOut(_ command: EventLoop.Command) {
        switch command {
        case .start(let transfer): start(transfer)
        case .stop(let transfer): stop(transfer)
        case .resumeReceiving(let transfer):
            resume(transfer) { [loop] wire throws(CurlError) in
                try wire.resumeReceiving(limit: loop.configuration.bufferLimit)
            }
        case .resumeSending(let transfer):
            resume(transfer) { wire throws(CurlError) in
                try wire.resumeSending()
            }
        }
    }

    private mutating func start(_ transfer: Transfer) {
        // Cancelled so early that the two commands came the other way round.
        guard !transfer.wire.isStopped else { return letGo(transfer, isClean: true) }
        let wire = transfer.wire
        wire.lastActivity = silence.now
        let code = multi.add(wire.easy)
        guard code == 0 else {
            wire.isStopped = true
            letGo(transfer, isClean: false)
            let error = CurlError(code: Int(code), text: "The multi handle does not take it.")
            transfer.handle(
                .completed(.engine(EngineFailure(error: error, isUnsent: true)), trailers: nil)
            )
            return
        }
        transfers[wire.easy.key] = transfer
    }

    private mutating func stop(_ transfer: Transfer) {
        guard !transfer.wire.isStopped else { return }
        guard transfers.removeValue(forKey: transfer.wire.easy.key) != nil else {
            transfer.wire.isStopped = true
            return
        }
        transfer.wire.dropWhatIsKept()
        multi.remove(transfer.wire.easy)
        letGo(transfer, isClean: false)
    }

    private mutating func resume(
        _ transfer: Transfer,
        _ operation: (Wire) throws(CurlError) -> Void
    ) {
        guard !transfer.wire.isStopped, transfers[transfer.wire.easy.key] != nil else { return }
        do throws(CurlError) {
            try operation(transfer.wire)
        } catch {
            end(transfer, error)
        }
    }

    private mutating func completeTransfers() {
        while let (key, code) = multi.nextCompleted() {
            guard let transfer = transfers[key] else { continue }
            if code != 0, transfer.wire.startsAnew() {
                multi.remove(transfer.wire.easy)
                if multi.add(transfer.wire.easy) == 0 { continue }
            }
            end(transfer, code == 0 ? nil : transfer.wire.easy.error(code))
        }
    }

    private mutating func end(_ transfer: Transfer, _ error: CurlError?) {
        let wire = transfer.wire
        let failure = error.map { error in
            // 65: it could not even go back to the beginning of what it would have repeated.
            wire.isRepetitionRefused || error.code == 65
                ? Failure.notRepeated(error)
                : .engine(EngineFailure(error: error, isUnsent: wire.isCertainlyUnsent))
        }
        wire.isStopped = true
        transfers[wire.easy.key] = nil
        multi.remove(wire.easy)
        wire.end(failure)
        touched.add(transfer)
        letGo(transfer, isClean: error == nil)
    }

    /// libcurl knows the transfer no more.
    /// - Parameter isClean: Whether its handle may carry another. One that did not come to its end may
    ///   keep bytes of the body, which libcurl (7.88) would deliver as the next one's.
    private mutating func letGo(_ transfer: Transfer, isClean: Bool) {
        transfer.endUpload()
        transfer.wire.easy.reset()
        over += 1
        if isClean { returned.append(transfer.wire.easy) }
    }

    // Those who wait are woken here, together, when libcurl has done what it could.
    private mutating func handOver() {
        if over > 0 {
            loop.transfersEnded(over, spare: returned)
            returned.removeAll(keepingCapacity: true)
            over = 0
        }
        let now = silence.now
        for transfer in touched.takeAll() {
            let wire = transfer.wire
            wire.isTouched = false
            wire.noteActivity(at: now)
            wire.noteUnread(transfer.deliver(wire.takeArrivals()))
        }
    }

    private mutating func endSilentTransfers() {
        guard silence.isDue else { return }
        let silent = silence.check(transfers.values.map(\.self))
        for transfer in silent { transfer.handle(.failed(.silent)) }
    }

    private mutating func closeAll() {
        guard !isClosing else { return }
        isClosing = true
        for transfer in transfers.values { transfer.handle(.closed) }
    }
}

extension Wire {
    /// Whether no byte of the request can have left, also in an earlier try of libcurl's own.
    fileprivate var isCertainlyUnsent: Bool {
        !isReady && !sawBytes && easy.number(IKCURL_INFO_REQUEST_SIZE) == 0
    }
}
