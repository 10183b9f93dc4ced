/// A type that sends inputs to a server and returns outputs: the end of a chain.
///
/// A transport decides *where* a call goes, an ``Interceptor`` *what happens to it on the way*. Use an existing
/// transport (`URLSessionTransport` in `InterceptorKitTransport`, `ScriptedTransport` in `InterceptorKitTesting`), or
/// conform your own type, which needs one method.
public protocol Transport<Input>: Sendable {
    /// The type of input that this transport sends.
    associatedtype Input: Interceptable

    /// Sends one input and returns its output.
    ///
    /// A transport never retries, follows redirects or changes credentials: interceptors do that.
    /// - Parameters:
    ///   - input: The input, as the innermost interceptor passed it on.
    ///   - call: The call that the input belongs to. Its ``Call/deadline`` limits the send.
    /// - Throws: `CancellationError` if, and only if, the calling task was cancelled; a
    ///   ``TransportError`` for transport failures.
    nonisolated(nonsending) func send(_ input: Input, call: Call) async throws -> Input.Output

    /// Whether a send is over soon after its call's ``Call/deadline`` without being cancelled, by a ``TransportError``
    /// with `.timedOut`. Defaults to `false`; if it is `true`, time limits need no tasks of their own.
    var keepsDeadline: Bool { get }
}

extension Transport {
    /// The default: a send may have to be cancelled.
    public var keepsDeadline: Bool { false }
}
