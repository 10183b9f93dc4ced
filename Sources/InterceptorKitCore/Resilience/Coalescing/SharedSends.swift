import InterceptorKitConcurrency
import Synchronization

/// The sends under way, and the tasks that wait for each.
final class SharedSends<Input: Interceptable>: Sendable {
    enum Share: Sendable {
        case output(Input.Output)
        /// The error of the send, and the call that started it.
        case failed(any Error, Call)
        /// Only one call may have the output, and another call got it.
        case unshared
        /// The waiter was cancelled. The last waiter to leave gets the send.
        case left(Task<Void, Never>?)
        /// The waiter has no time left. The last waiter to leave gets the send.
        case late(Task<Void, Never>?)
    }

    private struct Send {
        let id: Int
        let call: Call
        let task: Task<Void, Never>
        var waiters = WaiterQueue<Waiter<Share, Never>>()
    }

    private struct State {
        var sends: [SendIdentity: Send] = [:]
        var lastID = 0
    }

    private let share: @Sendable (Input.Output) async throws -> SharedOutput<Input.Output>
    private let state = Lock(State())

    /// - Parameter share: Turns an output into one that several calls can share, if possible.
    init(share: @escaping @Sendable (Input.Output) async throws -> SharedOutput<Input.Output>) {
        self.share = share
    }

    /// Waits for the send under way, or starts it and waits for it.
    nonisolated(nonsending) func join(
        _ identity: SendIdentity,
        _ chain: InterceptorChain<Input>
    ) async -> Share {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let call = chain.call
        let wait = call.beginWait(for: "a shared send for call \(call.id)")
        defer { wait.end() }
        guard !Task.isCancelled else { return .left(nil) }
        let waiter = Waiter<Share, Never>()
        let joined = state.withLock { state -> Call? in
            let joined = state.sends[identity]?.call
            if joined == nil {
                // Started under the lock, so that the next waiter to leave finds a task to cancel.
                let task = call.runtime.start("shared send") { await self.run(id, identity, chain) }
                state.sends[identity] = Send(id: id, call: call, task: task)
            }
            state.sends[identity]?.waiters.join(waiter, as: id)
            return joined
        }
        if let joined {
            call.emit(.coalesced, ["call": .text(joined.id.description)])
        }
        // The waiter that started the send has the same deadline; the others may have an earlier one.
        return await waiter.value(
            until: joined == nil ? nil : call.deadline,
            on: call.runtime,
            "time limit of a wait for a shared send"
        ) {
            leave(id, identity, as: Share.left)
        } onLimit: { [weak self] in
            self?.leave(id, identity, as: Share.late)
        }
    }

    private func leave(
        _ id: Int,
        _ identity: SendIdentity,
        as share: (Task<Void, Never>?) -> Share
    ) {
        let (waiter, last) = state.withLock {
            state -> (Waiter<Share, Never>?, Task<Void, Never>?) in
            let waiter = state.sends[identity]?.waiters.leave(id)
            guard waiter != nil, let send = state.sends[identity], send.waiters.isEmpty else {
                return (waiter, nil)
            }
            // The next call starts a new send.
            state.sends[identity] = nil
            return (waiter, send.task)
        }
        last?.cancel()
        waiter?.resume(returning: share(last))
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
                return await deliver(.one(output), to: only, runtime)
            }
            let shareable = try await share(output)
            await deliver(shareable, to: take(id, identity) ?? [], runtime)
        } catch {
            for waiter in take(id, identity) ?? [] {
                waiter.resume(returning: .failed(error, chain.call))
            }
        }
    }

    /// Removes the send, so that later calls start another, and returns its waiters.
    /// - Returns: `nil` if there are several waiters and `unlessShared` is set.
    private func take(
        _ id: Int,
        _ identity: SendIdentity,
        unlessShared: Bool = false
    ) -> [Waiter<Share, Never>]? {
        state.withLock { state in
            // All waiters have left, and another send may have begun since.
            guard var send = state.sends[identity], send.id == id else { return [] }
            if unlessShared && send.waiters.count > 1 { return nil }
            state.sends[identity] = nil
            return send.waiters.removeAll()
        }
    }

    private func deliver(
        _ shareable: SharedOutput<Input.Output>,
        to waiters: [Waiter<Share, Never>],
        _ runtime: Runtime
    ) async {
        switch shareable {
        case .all(let make):
            for waiter in waiters { waiter.resume(returning: .output(make())) }
        case .one(let output):
            guard let first = waiters.first else {
                await (output as? any Discardable)?.discard(on: runtime)
                return
            }
            first.resume(returning: .output(output))
            for other in waiters.dropFirst() { other.resume(returning: .unshared) }
        }
    }
}
