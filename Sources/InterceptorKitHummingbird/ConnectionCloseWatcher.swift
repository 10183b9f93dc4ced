#if Hummingbird
import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import Synchronization

/// The watchers of a middleware's connections, one handler for each while it is open.
final class ConnectionCloseWatchers: Sendable {
    private let known = Lock([ObjectIdentifier: ConnectionCloseWatcher]())

    /// Returns the watcher of a connection, which is active when this returns.
    func closeWatcher(of channel: any Channel) async -> ConnectionCloseWatcher {
        let id = ObjectIdentifier(channel)
        let (closeWatcher, isNew) = known.withLock { known in
            if let closeWatcher = known[id] { return (closeWatcher, false) }
            let closeWatcher = ConnectionCloseWatcher()
            known[id] = closeWatcher
            return (closeWatcher, true)
        }
        guard isNew else { return closeWatcher }
        do {
            let added = channel.eventLoop.submit {
                let handler = ConnectionCloseHandler(closeWatcher) { self.forget(id) }
                try channel.pipeline.syncOperations.addHandler(handler, position: .first)
            }
            try await added.get()
        } catch {
            // Adding a handler fails only on a closed connection.
            closeWatcher.fire()
            forget(id)
        }
        return closeWatcher
    }

    private func forget(_ id: ObjectIdentifier) {
        known.withLock { $0[id] = nil }
    }
}

/// A watcher that notices when a caller closes its connection, also without reads or writes.
final class ConnectionCloseWatcher: Sendable {
    /// An action on closing, until it is ended.
    struct Watch: Sendable {
        fileprivate let closeWatcher: ConnectionCloseWatcher
        fileprivate let number: Int

        func end() {
            closeWatcher.state.withLock { $0.actions[number] = nil }
        }
    }

    private struct State {
        var actions: [Int: @Sendable () -> Void] = [:]
        var count = 0
        var hasFired = false
    }

    private let state = Lock(State())

    /// Runs an action when the caller closes the connection; at once if it already has.
    func onClose(_ action: @escaping @Sendable () -> Void) -> Watch {
        let (number, hasFired) = state.withLock { state in
            state.count += 1
            if !state.hasFired { state.actions[state.count] = action }
            return (state.count, state.hasFired)
        }
        if hasFired { action() }
        return Watch(closeWatcher: self, number: number)
    }

    fileprivate func fire() {
        let due = state.withLock { state in
            state.hasFired = true
            defer { state.actions = [:] }
            return state.actions.values
        }
        for action in due { action() }
    }
}

extension ConnectionCloseWatcher? {
    /// Runs work that is cancelled when the caller closes the connection.
    func untilClosed<Success: Sendable>(
        _ work: @escaping @Sendable () async throws -> Success
    ) async -> Result<Success, any Error> {
        guard let self else { return await Result(catching: work) }
        let separate = SeparateBody(work)
        let watch = self.onClose { separate.cancel() }
        defer { watch.end() }
        return await separate.outcome()
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(catching work: @Sendable () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}

private final class ConnectionCloseHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let closeWatcher: ConnectionCloseWatcher
    private let forget: () -> Void

    init(_ closeWatcher: ConnectionCloseWatcher, forget: @escaping () -> Void) {
        self.closeWatcher = closeWatcher
        self.forget = forget
    }

    func channelInactive(context: ChannelHandlerContext) {
        closeWatcher.fire()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { closeWatcher.fire() }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) { forget() }
}
#endif
