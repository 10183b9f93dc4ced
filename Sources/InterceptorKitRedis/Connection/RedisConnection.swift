#if Redis
import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import Synchronization

/// One connection: commands go out in order, and replies come in the same order.
///
/// A reply that does not come in time ends the connection, because later replies could not be matched to commands.
///
/// At most two writes are under way without their replies. Commands that come meanwhile go out together, so that many
/// callers cost few system calls and a single caller does not wait.
final class RedisConnection: RedisLinkReceiver {
    private static let writeLimit = 2

    private struct Pending {
        let waiter: Waiter<RESPValue, any Error>
        let deadline: Runtime.Instant
    }

    private struct State {
        var link: (any RedisLink)?
        var parser: RESPParser
        var outgoing = ByteBuffer()
        var willFlush = false
        /// The commands without a reply, in order.
        var pending = CircularBuffer<Pending>()
        /// The number of the last of them that are in `outgoing`.
        var unsent = 0
        /// For each write, the number of its commands without a reply.
        var writes = CircularBuffer<Int>()
        var timer: DeadlineTimer?
        var timerInstant: Runtime.Instant?
        var failure: RedisError?
        var onClose: (@Sendable () -> Void)?

        /// Returns whether the outgoing bytes must be sent now, which the caller then does.
        mutating func beginFlush() -> Bool {
            guard !willFlush, writes.count < RedisConnection.writeLimit else { return false }
            willFlush = true
            return true
        }

        /// Takes the command that the next reply belongs to; `nil` if there is none.
        mutating func takeFirst() -> Waiter<RESPValue, any Error>? {
            guard let first = writes.first else { return nil }
            if first == 1 { writes.removeFirst() } else { writes[writes.startIndex] = first - 1 }
            return pending.removeFirst().waiter
        }
    }

    private let inFlightLimit: Int
    private let runtime: Runtime
    private let state: Lock<State>

    init(limits: RESPLimits, inFlightLimit: Int, runtime: Runtime) {
        self.inFlightLimit = inFlightLimit
        self.runtime = runtime
        state = Lock(State(parser: RESPParser(limits: limits)))
    }

    deinit { fail(.closed) }

    /// Whether the connection is in use and has not ended.
    var isOpen: Bool { state.withLock { $0.failure == nil && $0.link != nil } }

    /// Whether a command can be sent.
    var hasRoom: Bool {
        state.withLock {
            $0.failure == nil && $0.link != nil && $0.pending.count < inFlightLimit
        }
    }

    /// Starts to use a link, which passes its bytes to this connection.
    /// - Parameter onClose: Called once, when the connection ends.
    func use(_ link: any RedisLink, onClose: @escaping @Sendable () -> Void = {}) {
        let isOver = state.withLock { state in
            guard state.failure == nil else { return true }
            state.link = link
            state.onClose = onClose
            return false
        }
        guard isOver else { return }
        link.close()
        onClose()
    }

    /// Sends a command and waits for its reply, which may be an error of the server.
    /// - Throws: ``RedisError``, or `CancellationError` at once when the task is cancelled. The reply is then dropped.
    nonisolated(nonsending) func run(
        _ command: RedisCommand,
        until deadline: Runtime.Instant
    ) async throws -> RESPValue {
        let waiter = Waiter<RESPValue, any Error>()
        try enqueue(command, waiter, deadline)
        let wait = runtime.beginWait("waits for a reply of Redis")
        defer { wait?.end() }
        return try await waiter.value()
    }

    private func enqueue(
        _ command: RedisCommand,
        _ waiter: Waiter<RESPValue, any Error>,
        _ deadline: Runtime.Instant
    ) throws {
        let (link, needsTimer) = try state.withLock { state throws -> ((any RedisLink)?, Bool) in
            if let failure = state.failure { throw failure.unsent }
            guard let link = state.link else { throw RedisError.closed }
            guard state.pending.count < inFlightLimit else { throw tooMany }
            if state.unsent == 0 { state.outgoing.reserveCapacity(minimumWritableBytes: 4096) }
            state.outgoing.writeBytes(command.bytes)
            state.pending.append(Pending(waiter: waiter, deadline: deadline))
            state.unsent += 1
            let needsTimer = state.timerInstant.map { deadline < $0 } ?? true
            return (state.beginFlush() ? link : nil, needsTimer)
        }
        if needsTimer { setTimer(deadline) }
        if let link { flush(link) }
    }

    private func flush(_ link: any RedisLink) {
        link.send { [weak self] in self?.takeOutgoing() }
    }

    private func takeOutgoing() -> ByteBuffer? {
        state.withLock { state in
            state.willFlush = false
            guard state.failure == nil, state.outgoing.readableBytes > 0 else { return nil }
            state.writes.append(state.unsent)
            state.unsent = 0
            let bytes = state.outgoing
            state.outgoing = ByteBuffer()
            return bytes
        }
    }

    func receive(_ bytes: ByteBuffer) {
        var replies: [(Waiter<RESPValue, any Error>, RESPValue)] = []
        let (problem, link) = state.withLock { state -> (RedisError?, (any RedisLink)?) in
            guard state.failure == nil else { return (nil, nil) }
            state.parser.append(bytes)
            do throws(RESPSyntaxError) {
                while let reply = try state.parser.next() {
                    if case .push = reply { continue }
                    guard let waiter = state.takeFirst() else {
                        // An unasked reply is the server's reason to refuse the connection.
                        let unasked = RedisError.malformed("It answers no command.")
                        return (reply.errorCode.map(RedisError.refused) ?? unasked, nil)
                    }
                    replies.append((waiter, reply))
                }
            } catch {
                return (.malformed(error.reason), nil)
            }
            return (nil, state.unsent > 0 && state.beginFlush() ? state.link : nil)
        }
        for (waiter, reply) in replies { waiter.resume(with: .success(reply)) }
        if let problem { fail(problem) }
        if let link { flush(link) }
    }

    func end(_ cause: (any Error)?) {
        fail(.outcomeUnknown("The connection to the Redis server broke.", cause: cause))
    }

    /// Ends the connection. Commands in flight fail, with an unknown outcome if they were sent.
    func fail(_ failure: RedisError) {
        let ended = state.withLock { state -> State? in
            guard state.failure == nil else { return nil }
            let ended = state
            state.failure = failure
            state.link = nil
            state.pending = CircularBuffer()
            state.outgoing = ByteBuffer()
            state.timer = nil
            state.onClose = nil
            return ended
        }
        guard let ended else { return }
        ended.timer?.cancel()
        ended.link?.close()
        let sent = ended.pending.count - ended.unsent
        for (place, pending) in ended.pending.enumerated() {
            pending.waiter.resume(with: .failure(place < sent ? failure.sent : failure.unsent))
        }
        ended.onClose?()
    }

    private func setTimer(_ instant: Runtime.Instant) {
        let timer = runtime.timer(at: instant, "time limit of Redis commands") { [weak self] in
            self?.checkDeadlines()
        }
        let outdated = state.withLock { state -> DeadlineTimer? in
            // Another timer may have been set meanwhile, or the connection may have ended.
            if state.failure != nil { return timer }
            if let known = state.timerInstant, known <= instant { return timer }
            let outdated = state.timer
            state.timer = timer
            state.timerInstant = instant
            return outdated
        }
        outdated?.cancel()
    }

    private func checkDeadlines() {
        let now = runtime.now
        let (next, isLate) = state.withLock { state -> (Runtime.Instant?, Bool) in
            state.timer = nil
            state.timerInstant = nil
            let next = state.pending.lazy.map(\.deadline).min()
            return (next, next.map { $0 <= now } ?? false)
        }
        if isLate {
            fail(
                .outcomeUnknown(
                    "The Redis server did not reply in time, so the connection was closed."
                )
            )
        } else if let next {
            setTimer(next)
        }
    }

    private var tooMany: RedisError {
        RedisError(
            .tooManyCommands,
            "The limit of \(inFlightLimit) commands in flight on a connection to the Redis server is reached. "
                + "Nothing was sent."
        )
    }
}

extension RedisError {
    /// The error of a command that was sent before the connection ended.
    fileprivate var sent: RedisError {
        code == .outcomeUnknown ? self : .outcomeUnknown(message, cause: self)
    }

    /// The error of a command that was not sent.
    fileprivate var unsent: RedisError {
        guard code == .outcomeUnknown else { return self }
        return RedisError(
            .unreachable,
            "The connection to the Redis server broke before the command was sent.",
            cause: cause
        )
    }

    static func malformed(_ reason: String) -> RedisError {
        RedisError(
            .malformedReply,
            "A reply of the Redis server cannot be read, so the connection was closed. \(reason) Check that the "
                + "address is that of a Redis or Valkey server, and RedisSettings.replyLimit."
        )
    }
}
#endif
