import InterceptorKitConcurrency
import Synchronization

/// The sends under way and the tasks that wait for each.
final class SharedSends<Input: Interceptable>: Sendable {
    enum Share: Sendable {
        case output(Input.Output)
        /// What the send came to, and the call it was made for.
        case failed(any Error, Call)
        /// Only one may have the output, and it went to another.
        case unshared
        /// Cancelled; the last to leave is handed the send.
        case left(Task<Void, Never>?)
        /// The waiter has no time left; the last to leave gets the send.
        case late(Task<Void, Never>?)
    }

    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Share, Never>
    }

    private struct Send {
        let id: Int
        let call: Call
        let task: Task<Void, Never>
        var waiters: [Waiter]
    }

    private struct State {
        var sends: [SendIdentity: Send] = [:]
        var lastID = 0
    }

    private let share: @Sendable (Input.Output) async throws -> SharedOutput<Input.Output>
    private let state = Lock(State())

    /// - Parameter share: Makes an output one that each may have, if that can be done.
    init(share: @escaping @Sendable (Input.Output) async throws -> SharedOutput<Input.Output>) {
        self.share = share
    }

    /// Waits for the send under way, or starts it and waits for that.
    nonisolated(nonsending) func join(
        _ identity: SendIdentity,
        _ chain: InterceptorChain<Input>
    ) async -> Share {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let call = chain.call
        let wait = call.beginWait(
            for: "a shared send for call \(call.id)",
            from: "CoalescingInterceptor"
        )
        defer { wait.end() }
        return await withTaskCancellationHandler {
            var timer: DeadlineTimer?
            let share = await withCheckedContinuation { continuation in
                let waiter = Waiter(id: id, continuation: continuation)
                let joined = state.withLock { state -> Call? in
                    // The handler may have run before there was anyone to leave.
                    if Task.isCancelled {
                        continuation.resume(returning: .left(nil))
                        return nil
                    }
                    if let send = state.sends[identity] {
                        state.sends[identity]?.waiters.append(waiter)
                        return send.call
                    }
                    // Under the lock, so that the next waiter to leave finds a task to cancel.
                    let task = call.runtime.start("shared send") {
                        await self.run(id, identity, chain)
                    }
                    state.sends[identity] = Send(id: id, call: call, task: task, waiters: [waiter])
                    return nil
                }
                guard let joined else { return }
                call.emit(
                    .coalesced,
                    from: "CoalescingInterceptor",
                    ["call": .text(joined.id.description)]
                )
                // The send ends with the time of the call it was made for, which may be later.
                timer = call.deadline.map { deadline in
                    call.runtime.timer(at: deadline, "time limit of a wait for a shared send") {
                        [weak self] in
                        self?.leave(id, identity, as: Share.late)
                    }
                }
            }
            timer?.cancel()
            return share
        } onCancel: {
            leave(id, identity, as: Share.left)
        }
    }

    private func leave(
        _ id: Int,
        _ identity: SendIdentity,
        as share: (Task<Void, Never>?) -> Share
    ) {
        let (waiter, last) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let index = state.sends[identity]?.waiters.firstIndex(where: { $0.id == id }),
                let waiter = state.sends[identity]?.waiters.remove(at: index)
            else { return (nil, nil) }
            guard let send = state.sends[identity], send.waiters.isEmpty else {
                return (waiter, nil)
            }
            // Code that comes next starts again.
            state.sends[identity] = nil
            return (waiter, send.task)
        }
        last?.cancel()
        waiter?.continuation.resume(returning: share(last))
    }

    private func run(
        _ id: Int,
        _ identity: SendIdentity,
        _ chain: InterceptorChain<Input>
    ) async {
        let runtime = chain.call.runtime
        do {
            let output = try await chain.proceed()
            if let only = take(id, identity, unlessShared: true) {
                return await hand(.one(output), to: only, runtime)
            }
            let shareable = try await share(output)
            await hand(shareable, to: take(id, identity) ?? [], runtime)
        } catch {
            for waiter in take(id, identity) ?? [] {
                waiter.continuation.resume(returning: .failed(error, chain.call))
            }
        }
    }

    /// Ends the send for later calls, and takes the tasks that wait.
    /// - Returns: `nil` if several wait and it was not to be ended then.
    private func take(
        _ id: Int,
        _ identity: SendIdentity,
        unlessShared: Bool = false
    ) -> [Waiter]? {
        state.withLock { state in
            // All have left, and another send may have begun since.
            guard let send = state.sends[identity], send.id == id else { return [] }
            if unlessShared && send.waiters.count > 1 { return nil }
            state.sends[identity] = nil
            return send.waiters
        }
    }

    private func hand(
        _ shareable: SharedOutput<Input.Output>,
        to waiters: [Waiter],
        _ runtime: Runtime
    ) async {
        switch shareable {
        case .all(let make):
            for waiter in waiters { waiter.continuation.resume(returning: .output(make())) }
        case .one(let output):
            guard let first = waiters.first else {
                await (output as? any Discardable)?.discard(on: runtime)
                return
            }
            first.continuation.resume(returning: .output(output))
            for other in waiters.dropFirst() { other.continuation.resume(returning: .unshared) }
        }
    }
}
