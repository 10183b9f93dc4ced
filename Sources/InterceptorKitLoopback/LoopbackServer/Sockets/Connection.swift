import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A client's connection: turns its bytes into requests, and replies into bytes. Lives on the event loop's thread.
final class Connection {
    enum Phase {
        case receiving
        case handling(request: Int, task: Task<Void, Never>)
        case replying
        /// Sends the chunks of its reply's stream.
        case streaming(task: Task<Void, Never>)
        /// Holds the connection and sends nothing.
        case stalled
        /// Waits to reset until the client's system has all bytes.
        case settling(until: ContinuousClock.Instant)
        /// Has sent everything and reads remaining input, so that closing does not reset.
        case lingering(until: ContinuousClock.Instant, atMost: ContinuousClock.Instant)
        case closed
    }

    // A client that does nothing for this time is disconnected.
    private static let lingerTimeout = Duration.seconds(1)
    // A client that keeps sending rejected bytes is disconnected after this time.
    private static let lingerLimit = Duration.seconds(10)
    // Input beyond this waits in the system's buffer while a request is being handled.
    private static let inputLimit = 256 << 10

    let number: Int
    let descriptor: Descriptor
    private(set) var phase = Phase.receiving
    private(set) var wakeAt: ContinuousClock.Instant?
    private let host: any ConnectionHost
    private var parser: RequestParser
    private var steps: ArraySlice<ReplyStep> = []
    private var output: [UInt8] = []
    private var sent = 0
    private var head: (method: HTTP.Method, keepsAlive: Bool) = (.get, false)
    private var lingers = false
    private var fault: LoopbackServer.ConnectionFault?
    private var received = 0
    private var reply: LoopbackServer.Reply?
    private var sender: CheckedContinuation<Bool, Never>?

    init(number: Int, descriptor: consuming Descriptor, host: any ConnectionHost) {
        self.number = number
        self.descriptor = descriptor
        self.host = host
        parser = RequestParser(
            bodyLimit: host.options.bodyLimit,
            headLimit: host.options.headLimit
        )
        fault = host.options.connectionFault?(number)
        if fault?.bytes == 0 { beginFault() }
    }

    var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    var interest: Int16 {
        var events: Int32 = 0
        if wantsInput { events |= POLLIN }
        if sent < output.count { events |= POLLOUT }
        return Int16(events)
    }

    private var wantsInput: Bool {
        switch phase {
        case .receiving, .lingering, .stalled: true
        case .handling, .replying, .streaming, .settling: parser.pending < Self.inputLimit
        case .closed: false
        }
    }

    /// Handles the events that `poll` reported.
    func handle(events: Int16, buffer: inout [UInt8]) {
        let events = Int32(events)
        if wantsInput, events & (POLLIN | POLLHUP | POLLERR) != 0 {
            receive(&buffer)
        } else if events & (POLLHUP | POLLERR | POLLNVAL) != 0 {
            close()
        } else {
            advance()
        }
    }

    private func receive(_ buffer: inout [UInt8]) {
        switch descriptor.receive(into: &buffer) {
        case .bytes(let count):
            host.note(received: count)
            switch phase {
            case .stalled: break
            case .lingering(_, let end): linger(atMost: end)
            default: take(buffer[..<count])
            }
            advance()
        case .wouldBlock:
            advance()
        case .ended:
            // As in other servers, a client that has finished sending counts as gone.
            close()
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        received += bytes.count
        if let fault, received >= fault.bytes { return beginFault() }
        parser.append(bytes)
    }

    private func beginFault() {
        guard let ending = fault?.ending else { return }
        fault = nil
        lingers = true
        switch ending {
        case .close: begin([.close])
        case .reset: begin([.reset])
        case .stall: begin([.stall])
        }
    }

    /// Takes a handler's reply, unless its request is no longer waited for.
    func take(_ reply: LoopbackServer.Reply, request: Int) {
        guard case .handling(request, _) = phase else { return }
        self.reply = reply.checked
        begin(ReplyWriter(reply, method: head.method, keepsAlive: head.keepsAlive).steps[...])
        advance()
    }

    /// Takes a chunk of its reply's stream, or the stream's end.
    func take(_ chunk: Data?, from sender: CheckedContinuation<Bool, Never>) {
        guard case .streaming = phase, let reply else { return sender.resume(returning: false) }
        guard let chunk else {
            output = FramedBody.end(reply)
            phase = .replying
            sender.resume(returning: true)
            return advance()
        }
        output = FramedBody.chunk(chunk, of: reply)
        self.sender = sender
        advance()
    }

    /// Resets the connection of a reply whose stream has failed.
    func breakStream() {
        guard case .streaming = phase else { return }
        begin([.reset])
        advance()
    }

    private func begin(_ steps: ArraySlice<ReplyStep>) {
        self.steps = steps
        phase = .replying
    }

    /// Closes at once and cancels the handler.
    func close() {
        switch phase {
        case .handling(_, let task), .streaming(let task): task.cancel()
        default: break
        }
        sender?.resume(returning: false)
        sender = nil
        phase = .closed
        wakeAt = nil
        output = []
        sent = 0
    }

    /// Advances as far as possible without blocking.
    func advance() {
        while flush() {
            switch phase {
            case .receiving:
                guard takeEvent() else { return }
            case .replying:
                guard takeStep() else { return }
            case .settling(let end):
                guard descriptor.unacknowledged == 0 || ContinuousClock.now >= end else {
                    wakeAt = ContinuousClock.now + .milliseconds(1)
                    return
                }
                descriptor.resetWhenClosed()
                close()
            case .lingering(let end, _):
                if ContinuousClock.now >= end { close() }
                return
            case .streaming:
                sender?.resume(returning: true)
                sender = nil
                return
            case .handling, .stalled, .closed:
                return
            }
        }
    }

    // Returns whether nothing is left to send.
    private func flush() -> Bool {
        while sent < output.count {
            switch descriptor.send(output, from: sent) {
            case .bytes(let count): sent += count
            case .wouldBlock: return false
            case .ended:
                close()
                return false
            }
        }
        output = []
        sent = 0
        return true
    }

    private func takeEvent() -> Bool {
        switch parser.next() {
        case nil:
            return false
        case .expectation:
            if host.options.answersExpectations { output = ReplyHead.bytes(100, reason: nil, [:]) }
        case .head(let request):
            guard let reply = host.earlyReply(to: request, connection: number) else { return true }
            lingers = true
            self.reply = reply.checked
            begin(ReplyWriter(reply, method: request.head.method, keepsAlive: false).steps[...])
        case .request(let request):
            head = (request.head.method, request.head.keepsAlive)
            let (number, task) = host.serve(request, connection: self.number)
            phase = .handling(request: number, task: task)
        case .refusal(let refusal):
            lingers = true
            let reply = LoopbackServer.Reply.text(refusal.sentence, status: refusal.status)
            begin(ReplyWriter(reply, method: .get, keepsAlive: false).steps[...])
        }
        return true
    }

    private func takeStep() -> Bool {
        if let wakeAt, ContinuousClock.now < wakeAt { return false }
        wakeAt = nil
        switch steps.popFirst() {
        case nil: phase = .receiving
        case .bytes(let bytes): output = bytes
        case .wait(let duration): wakeAt = ContinuousClock.now + duration
        case .close: finish()
        case .reset: phase = .settling(until: ContinuousClock.now + Self.lingerTimeout)
        case .stall: phase = .stalled
        case .stream:
            if let body = reply?.stream {
                phase = .streaming(task: host.stream(body, connection: number))
            }
        }
        return true
    }

    private func finish() {
        guard lingers else { return close() }
        descriptor.finishSending()
        linger(atMost: ContinuousClock.now + Self.lingerLimit)
    }

    private func linger(atMost limit: ContinuousClock.Instant) {
        let end = min(ContinuousClock.now + Self.lingerTimeout, limit)
        phase = .lingering(until: end, atMost: limit)
        wakeAt = end
    }
}

/// The event loop as its connections use it.
protocol ConnectionHost: AnyObject {
    var options: LoopbackServer.Options { get }
    /// Records a request and starts its handler.
    func serve(_ request: ParsedRequest, connection: Int) -> (Int, Task<Void, Never>)
    func stream(_ body: HTTP.Body, connection: Int) -> Task<Void, Never>
    /// Returns the response to a request whose body has not been read, if there is one.
    func earlyReply(to request: ParsedRequest, connection: Int) -> LoopbackServer.Reply?
    func note(received count: Int)
}
