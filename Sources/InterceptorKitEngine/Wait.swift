/// A task that waits for an exchange.
///
/// It costs an allocation and a lookup of metadata less than a checked continuation, at each of several copies.
@safe
struct Wait<Value: Sendable>: Sendable {
    // Safety: the state ends each wait exactly once, and whoever ends it takes this value out under the lock.
    private let continuation: UnsafeContinuation<Value, any Error>

    /// Waits in the current task until the value that `begin` gets is resumed.
    static nonisolated(nonsending) func value(_ begin: (Wait) -> Void) async throws -> Value {
        try await unsafe withUnsafeThrowingContinuation { continuation in
            begin(unsafe Wait(continuation: continuation))
        }
    }

    func resume(with result: Result<Value, any Error>) { unsafe continuation.resume(with: result) }
}
