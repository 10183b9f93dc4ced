/// An output that holds something open until it is read or let go, as a response's body does.
public protocol Discardable: Sendable {
    /// Whether something is still open. Defaults to `true`.
    var holdsOpen: Bool { get }

    /// Lets go of what is still open; a little may be read first so that a connection can be kept.
    func discard() async
}

extension Discardable {
    public var holdsOpen: Bool { true }

    /// Lets go of what is still open, in a bounded time: reading on keeps a connection, but a server
    /// that stops sending must not hold up the call.
    ///
    /// For whoever sends again in place of an output. Returns early if the task is cancelled.
    /// - Parameters:
    ///   - limit: How long it may take. Defaults to 100 ms.
    ///   - runtime: The call's clock.
    public func discard(within limit: Duration = .milliseconds(100), on runtime: Runtime) async {
        guard holdsOpen else { return }
        await withTaskGroup { group in
            group.addTask { await discard() }
            group.addTask { try? await runtime.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension Result {
    /// Lets go of an output that holds something open, in a bounded time.
    nonisolated(nonsending) func discard(on runtime: Runtime) async {
        guard case .success(let output) = self, let open = output as? any Discardable else {
            return
        }
        await open.discard(on: runtime)
    }
}
