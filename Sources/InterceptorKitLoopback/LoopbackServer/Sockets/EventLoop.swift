import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Polls a server's sockets, on a separate thread, until it is stopped.
///
/// Not `Sendable`: created by `start`, then handed over to its thread, which alone uses it.
final class EventLoop: ConnectionHost {
    // Long enough for other parts of the process to close a descriptor.
    private static let pauseWhenExhausted = Duration.milliseconds(20)

    private static let rounds = 64

    let options: LoopbackServer.Options
    private let handler: @Sendable (LoopbackServer.Request) async -> LoopbackServer.Reply
    private let inbox: Inbox
    private let log: ServerLog
    private var listener: Descriptor?
    private var wake: Descriptor?
    private var connections: [Int: Connection] = [:]
    private var accepted = 0
    private var acceptsAt: ContinuousClock.Instant?
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var isStopping = false
    private var hasMessages = false
    // Connections whose sockets close at the end of a turn; until then they are not reported as closed.
    private var closedCount = 0

    init(
        listener: consuming Descriptor,
        wake: consuming Descriptor,
        inbox: Inbox,
        log: ServerLog,
        options: LoopbackServer.Options,
        handler: @escaping @Sendable (LoopbackServer.Request) async -> LoopbackServer.Reply
    ) {
        self.listener = consume listener
        self.wake = consume wake
        self.inbox = inbox
        self.log = log
        self.options = options
        self.handler = handler
    }

    func run() {
        while !isStopping {
            turn()
            reportClosed()
        }
        for connection in connections.values { connection.close() }
        connections = [:]
        listener = nil
        log.finish()
        inbox.finish()
        // Last, because `stop()` waits for this to close.
        wake = nil
    }

    func serve(_ request: ParsedRequest, connection: Int) -> (Int, Task<Void, Never>) {
        let request = log.update { facts in
            facts.requestCount += 1
            let request = LoopbackServer.Request(
                request,
                connection: connection,
                number: facts.requestCount
            )
            if options.recordsRequests { facts.requests.append(request) }
            return request
        }
        let number = request.number
        // Runs on the loop's own thread: no hop, and no wait for a pool that blocking clients fill.
        let task = Task(executorPreference: inbox) { [handler, inbox] in
            let reply = await handler(request)
            inbox.post(.reply(reply, connection: connection, request: number))
        }
        return (number, task)
    }

    func stream(_ body: HTTP.Body, connection: Int) -> Task<Void, Never> {
        Task(executorPreference: inbox) { [inbox] in
            do {
                for try await chunk in body {
                    guard await inbox.deliver(chunk, connection: connection) else { return }
                }
                // The stream of a cancelled task ends as if it were whole.
                try Task.checkCancellation()
                _ = await inbox.deliver(nil, connection: connection)
            } catch {
                inbox.post(.brokenStream(connection: connection))
            }
        }
    }

    func earlyReply(to request: ParsedRequest, connection: Int) -> LoopbackServer.Reply? {
        options.earlyReply?(LoopbackServer.Request(request, connection: connection, number: 0))
    }

    func note(received count: Int) { log.update { $0.receivedBytes += count } }

    private func turn() {
        let now = ContinuousClock.now
        var wakeAt = hasMessages ? now : log.expireWaits(now)
        if let resume = acceptsAt { acceptsAt = resume > now ? resume : nil }
        var entries: [pollfd] = []
        entries.append(entry(wake?.number, POLLIN))
        let accepts = options.acceptsConnections && acceptsAt == nil
        entries.append(entry(accepts ? listener?.number : nil, POLLIN))
        wakeAt = Self.earlier(wakeAt, acceptsAt)
        let polled = Array(connections.values)
        for connection in polled {
            entries.append(
                pollfd(fd: connection.descriptor.number, events: connection.interest, revents: 0)
            )
            wakeAt = Self.earlier(wakeAt, connection.wakeAt)
        }
        let timeout = Self.milliseconds(from: now, to: wakeAt)
        // Safety: the array's own count is given, and nothing else touches it meanwhile.
        guard unsafe poll(&entries, nfds_t(entries.count), timeout) >= 0 else { return }
        inbox.wakeUp()
        if entries[0].revents != 0 { _ = wake?.receive(into: &buffer) }
        if entries[1].revents != 0 { acceptAll() }
        let later = ContinuousClock.now
        for (index, connection) in polled.enumerated() {
            let events = entries[index + 2].revents
            if events != 0 {
                connection.handle(events: events, buffer: &buffer)
            } else if let due = connection.wakeAt, due <= later {
                connection.advance()
            }
            if connection.isClosed { forget(connection) }
        }
        takeMessages()
    }

    private func takeMessages() {
        // The rounds are bounded, so that a handler that never suspends for long cannot delay the sockets.
        for _ in 0..<Self.rounds {
            let messages = inbox.take()
            hasMessages = !messages.isEmpty
            if messages.isEmpty { return }
            for message in messages { take(message) }
        }
    }

    private func take(_ message: LoopMessage) {
        switch message {
        case .job(let job):
            // Safety: the inbox outlives the job, because this loop holds it, and a message is taken once, so a job
            // runs once.
            unsafe job.runSynchronously(on: inbox.asUnownedTaskExecutor())
        case .reply(let reply, let number, let request):
            guard !isStopping, let connection = connections[number] else { return }
            connection.take(reply, request: request)
            if connection.isClosed { forget(connection) }
        case .chunk(let chunk, let number, let sender):
            guard !isStopping, let connection = connections[number] else {
                return sender.resume(returning: false)
            }
            connection.take(chunk, from: sender)
            if connection.isClosed { forget(connection) }
        case .brokenStream(let number):
            connections[number]?.breakStream()
            if let connection = connections[number], connection.isClosed { forget(connection) }
        case .alarm:
            break
        case .stop:
            isStopping = true
        }
    }

    private func acceptAll() {
        while let acceptance = listener?.accept() {
            switch consume acceptance {
            case .connection(let descriptor):
                accepted += 1
                let connection = Connection(
                    number: accepted,
                    descriptor: descriptor,
                    host: self
                )
                connections[accepted] = connection
                log.update { facts in
                    facts.connectionCount += 1
                    facts.openConnections += 1
                }
                connection.advance()
                if connection.isClosed { forget(connection) }
            case .none:
                return
            case .exhausted:
                acceptsAt = ContinuousClock.now + Self.pauseWhenExhausted
                return
            }
        }
    }

    private func forget(_ connection: Connection) {
        guard connections.removeValue(forKey: connection.number) != nil else { return }
        closedCount += 1
    }

    private func reportClosed() {
        guard closedCount > 0 else { return }
        log.update { $0.openConnections -= closedCount }
        closedCount = 0
    }

    private func entry(_ number: Int32?, _ events: Int32) -> pollfd {
        // `poll` ignores negative numbers.
        pollfd(fd: number ?? -1, events: Int16(events), revents: 0)
    }

    private static func earlier(
        _ left: ContinuousClock.Instant?,
        _ right: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    // Rounded up, so that the loop does not spin just before the deadline.
    private static func milliseconds(
        from now: ContinuousClock.Instant,
        to moment: ContinuousClock.Instant?
    ) -> Int32 {
        guard let moment else { return -1 }
        return Int32(min(max(0, (moment - now).inSeconds * 1000), 60_000).rounded(.up))
    }
}
