import CInterceptorKitCurl
import InterceptorKit
import InterceptorKitEngine

/// The work of the loop's thread, round by round, or of a task that starts its only transfer. It holds every transfer
/// whose handle is in libcurl.
struct LoopDriver {
    private let loop: EventLoop
    private let multi: Multi
    private let readyOperations: ReadyOperations
    private var operations: [UInt: RequestOperation] = [:]
    private var commands: [EventLoop.Command] = []
    private var returned: [Easy] = []
    private var endedCount = 0
    private var silence: SilenceWatch
    // libcurl limits the time for making a connection, but not the wait for a free one.
    private var waits: SilenceWatch
    // Transfers whose response is complete while the rest of the request is still to be sent.
    private var answered: [UInt: RequestOperation] = [:]
    // A host that is still reading usually takes something within this time.
    private var uploadSilence = SilenceWatch(limit: .seconds(1))
    private var isClosing = false

    /// What the thread does after a piece of work.
    enum Next {
        case wait(milliseconds: Int)
        case jobs
    }

    // Sockets are not checked while commands arrive; this limit gives them a turn.
    private static let roundsWithoutWait = 8

    init(_ loop: EventLoop, _ multi: Multi, _ readyOperations: ReadyOperations) {
        self.loop = loop
        self.multi = multi
        self.readyOperations = readyOperations
        silence = SilenceWatch(limit: loop.configuration.idleTimeout)
        waits = SilenceWatch(limit: loop.configuration.settings.connectTimeout)
    }

    /// Does the work of the loop's thread up to a wait or jobs.
    /// - Returns: What follows; `nil` if nothing is left to do.
    mutating func work() -> Next? {
        for _ in 0..<Self.roundsWithoutWait {
            let phase = loop.take(&commands)
            for command in commands { carryOut(command) }
            commands.removeAll(keepingCapacity: true)
            if phase == .closing { closeAll() }
            multi.serveSockets()
            finishRound()
            endSilentOperations()
            if phase != .running, operations.isEmpty, loop.end() { return nil }
            switch loop.rest(in: phase) {
            case .jobs: return .jobs
            case .commands: break
            case .none:
                let milliseconds = multi.millisecondsToWait(atMost: millisecondsToWait)
                return .wait(milliseconds: milliseconds)
            }
        }
        return .wait(milliseconds: 0)
    }

    /// Starts a transfer while the loop's thread waits.
    mutating func startAlone(_ operation: RequestOperation) {
        let blocks = ikcurl_broken_pipes_block()
        start(operation)
        finishRound()
        if blocks { ikcurl_broken_pipes_unblock() }
        if multi.waitsTooLong(for: millisecondsToWait) { multi.wake() }
    }

    private mutating func finishRound() {
        multi.serveTimer()
        completeOperations()
        endAnsweredOperations()
        handOver()
    }

    private var millisecondsToWait: Int {
        if operations.isEmpty { return Int.max }
        let own = answered.isEmpty ? Int.max : uploadSilence.millisecondsToNextCheck
        return min(own, silence.millisecondsToNextCheck, waits.millisecondsToNextCheck)
    }

    private mutating func carryOut(_ command: EventLoop.Command) {
        switch command {
        case .start(let operation): start(operation)
        case .stop(let operation): stop(operation)
        case .resumeReceiving(let operation):
            resume(operation) { [loop] io throws(CurlError) in
                try io.resumeReceiving(limit: loop.configuration.bufferLimit)
            }
        case .resumeSending(let operation):
            resume(operation) { io throws(CurlError) in
                try io.resumeSending()
            }
        }
    }

    private mutating func start(_ operation: RequestOperation) {
        // The transfer was cancelled so early that the stop came before the start.
        guard !operation.io.isStopped else { return release(operation, isClean: true) }
        let io = operation.io
        io.lastActivity = silence.now
        io.begun = io.lastActivity
        let code = multi.add(io.easy)
        guard code == 0 else {
            io.isStopped = true
            release(operation, isClean: false)
            let error = CurlError(code: Int(code), text: "The multi handle does not take it.")
            let failure = EngineFailure(error: error, isUnsent: true)
            operation.handle(.notStarted(.engine(CurlFailure.engine(failure))))
            return
        }
        operations[io.easy.key] = operation
    }

    private mutating func stop(_ operation: RequestOperation) {
        guard !operation.io.isStopped else { return }
        guard operations.removeValue(forKey: operation.io.easy.key) != nil else {
            operation.io.isStopped = true
            return
        }
        operation.io.releasePausedBytes()
        multi.remove(operation.io.easy)
        release(operation, isClean: false)
    }

    private mutating func resume(
        _ operation: RequestOperation,
        _ change: (TransferIO) throws(CurlError) -> Void
    ) {
        guard !operation.io.isStopped, operations[operation.io.easy.key] != nil else { return }
        do throws(CurlError) {
            try change(operation.io)
        } catch {
            end(operation, error)
        }
    }

    private mutating func completeOperations() {
        while let (key, code) = multi.nextCompleted() {
            guard let operation = operations[key] else { continue }
            if code != 0, shouldRestart(operation, operation.io.easy.error(code)) {
                multi.remove(operation.io.easy)
                operation.io.begun = silence.now
                if multi.add(operation.io.easy) == 0 { continue }
            }
            end(operation, code == 0 ? nil : operation.io.easy.error(code))
        }
    }

    private func shouldRestart(_ operation: RequestOperation, _ error: CurlError) -> Bool {
        operation.io.shouldRestart(isRefused: isRefused(operation, error))
    }

    private func isRefused(_ operation: RequestOperation, _ error: CurlError) -> Bool {
        let io = operation.io
        return io.wantedResend(error) && !io.sawBytes
            && io.stream.isRefused(by: loop.streamLimits)
    }

    private mutating func end(
        _ operation: RequestOperation,
        _ error: CurlError?,
        isClean: Bool = true
    ) {
        let io = operation.io
        let failure = error.flatMap { error -> CurlFailure? in
            if io.hasWholeResponse { return nil }
            if isRefused(operation, error) { return .refused(error) }
            return io.wantedResend(error)
                ? .notRepeated(error)
                : .engine(EngineFailure(error: error, isUnsent: io.isUnsent))
        }
        io.isStopped = true
        operations[io.easy.key] = nil
        multi.remove(io.easy)
        io.end(failure)
        readyOperations.add(operation)
        release(operation, isClean: isClean && error == nil)
    }

    /// Releases a transfer that libcurl no longer has.
    /// - Parameter isClean: Whether its handle can be reused. After a transfer that did not complete, it may keep bytes
    ///   of the body, which libcurl (7.88) would deliver as those of the next.
    private mutating func release(_ operation: RequestOperation, isClean: Bool) {
        answered[operation.io.easy.key] = nil
        operation.endUpload()
        operation.io.easy.reset()
        endedCount += 1
        if isClean { returned.append(operation.io.easy) }
    }

    // The waiting tasks are woken here, together, after libcurl's work.
    private mutating func handOver() {
        if endedCount > 0 {
            loop.operationsEnded(endedCount, spare: returned)
            returned.removeAll(keepingCapacity: true)
            endedCount = 0
        }
        let now = silence.now
        for operation in readyOperations.takeAll() {
            let io = operation.io
            io.isTouched = false
            io.noteActivity(at: now)
            io.noteUnread(operation.deliver(io.takeArrivals()))
            if io.isAnsweredOnStream { answered[io.easy.key] = operation }
        }
    }

    private mutating func endSilentOperations() {
        if silence.isDue {
            let silent = silence.check(operations.values.map(\.self))
            for operation in silent { operation.fail(.silent) }
        }
        if waits.isDue {
            let late = waits.check(operations.values.map(\.self)) { io in
                io.isWaitingForConnection ? io.begun : nil
            }
            for operation in late { operation.fail(.noConnection) }
        }
    }

    /// Ends transfers with a complete response whose request has stalled: the response does not depend on the rest of
    /// it (RFC 9113 section 8.1).
    private mutating func endAnsweredOperations() {
        guard !answered.isEmpty, uploadSilence.isDue else { return }
        for operation in uploadSilence.check(answered.values.map(\.self)) {
            end(operation, nil, isClean: false)
        }
    }

    private mutating func closeAll() {
        guard !isClosing else { return }
        isClosing = true
        for operation in operations.values { operation.handle(.failed(.closed)) }
    }
}

extension TransferIO {
    /// Whether no byte of the request can have left, including earlier tries by libcurl.
    fileprivate var isUnsent: Bool {
        // If libcurl does not announce connections, bytes sent to a proxy count too.
        !isReady && !sawBytes && (announcesReady || easy.number(IKCURL_INFO_REQUEST_SIZE) == 0)
    }

    /// Whether libcurl wanted to resend: it was prevented, could not rewind the body (65), or could not connect again
    /// after the request had left on a connection.
    fileprivate func wantedResend(_ error: CurlError) -> Bool {
        isRepetitionRefused || error.code == 65 || error.isTooManyResends
            || (isReady && error.isConnectFailure)
    }
}
