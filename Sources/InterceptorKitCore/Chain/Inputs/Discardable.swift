/// An output that keeps a resource open until it is read or released, such as a response's body.
public protocol Discardable: Sendable {
    /// Whether the output still keeps something open. Defaults to `true`.
    var holdsOpen: Bool { get }

    /// Releases the output. A little may be read first so that its connection can be reused.
    func discard() async
}

extension Discardable {
    public var holdsOpen: Bool { true }

    /// Releases the output within a limited time, reading a little so that the connection can be reused.
    ///
    /// Use it when you send again and drop an output. It returns early if the task is cancelled.
    /// - Parameters:
    ///   - limit: The longest time it takes. Defaults to 100 ms.
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
    /// Releases an output that keeps something open, within a time limit.
    nonisolated(nonsending) func discard(on runtime: Runtime) async {
        guard case .success(let output) = self, let open = output as? any Discardable else {
            return
        }
        await open.discard(on: runtime)
    }
}
