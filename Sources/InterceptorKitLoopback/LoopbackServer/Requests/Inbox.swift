import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

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

/// A message to the event loop's thread.
enum LoopMessage: Sendable {
    /// A part of a handler.
    case job(UnownedJob)
    /// A handler's reply to a request, by the numbers of its connection and of the request.
    case reply(LoopbackServer.Reply, connection: Int, request: Int)
    /// A chunk of a reply's stream and the waiter for its sending, by the number of the connection; `nil` at the
    /// stream's end.
    case chunk(Data?, connection: Int, CheckedContinuation<Bool, Never>)
    case brokenStream(connection: Int)
    /// A new wait, which may change the next time to wake up.
    case alarm
    case stop
}

/// Carries messages to the event loop, which a byte on a socket wakes.
final class Inbox: Sendable {
    private struct State: ~Copyable {
        var messages: [LoopMessage] = []
        // The loop checks for messages before it sleeps, so it need not be woken.
        var isAwake = false
        var isOver = false
        var thread: ThreadIdentity?
        var wake: Descriptor?
    }

    private let state: Lock<State>
    // Held while stopping, so that a second caller returns only when the first is done.
    private let isStopped = Lock(false)

    init(wake: consuming sending Descriptor) {
        state = Lock(State(wake: wake))
    }

    func post(_ message: LoopMessage) {
        let isTaken = state.withLock { state in
            if state.isOver { return false }
            state.messages.append(message)
            if state.isAwake { return true }
            state.isAwake = true
            _ = state.wake?.send([1], from: 0)
            return true
        }
        if !isTaken { settle(message) }
    }

    // The rest of cancelled handlers runs elsewhere once the loop is over.
    private func settle(_ message: LoopMessage) {
        switch message {
        case .job(let job): globalConcurrentExecutor.enqueue(job)
        case .chunk(_, _, let sender): sender.resume(returning: false)
        case .reply, .brokenStream, .alarm, .stop: break
        }
    }

    /// Hands over a chunk and returns when it was sent; `false` if nobody wants another.
    func deliver(_ chunk: Data?, connection: Int) async -> Bool {
        await withCheckedContinuation { post(.chunk(chunk, connection: connection, $0)) }
    }

    /// Records that the loop is awake and will take messages before it sleeps.
    func wakeUp() {
        state.withLock { state in
            state.isAwake = true
            state.thread = state.thread ?? .current
        }
    }

    /// Takes the messages; after an empty result the next message posted wakes the loop.
    func take() -> [LoopMessage] {
        state.withLock { state in
            if state.messages.isEmpty {
                state.isAwake = false
                return []
            }
            let messages = state.messages
            state.messages = []
            return messages
        }
    }

    /// Ends the taking: jobs that were or will be posted run on the global executor.
    func finish() {
        let left = state.withLock { state in
            state.isOver = true
            defer { state.messages = [] }
            return state.messages
        }
        for message in left { settle(message) }
    }

    /// Ends the loop and returns when it has closed everything; does nothing the second time.
    func stop() {
        // A handler that stops its own server runs on the very thread that it would wait for.
        if state.withLock({ $0.thread == .current }) { return post(.stop) }
        isStopped.withLock { isStopped in
            if isStopped { return }
            isStopped = true
            post(.stop)
            let number = state.withLock { $0.wake?.number }
            if let number { Descriptor.waitForEnd(of: number) }
            state.withLock { $0.wake = nil }
        }
    }
}

extension Inbox: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { post(.job(UnownedJob(job))) }
}

private struct ThreadIdentity: Hashable {
    private let number: UInt

    static var current: Self {
        #if canImport(Glibc)
        Self(number: UInt(pthread_self()))
        #else
        // Safety: the address is compared only, never followed.
        unsafe Self(number: UInt(bitPattern: pthread_self()))
        #endif
    }
}
