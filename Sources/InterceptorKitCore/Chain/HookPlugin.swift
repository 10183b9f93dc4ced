/// A type whose methods run at the phases of a call, like a plugin of other libraries.
///
/// Every phase has a default that does nothing, so write a phase exactly as it is declared here: a method with
/// another signature compiles and never runs. Add a plugin to a chain with ``HookInterceptor/init(_:)``:
///
/// ```swift
/// struct ClientName: HookPlugin {
///     func before(_ request: inout HTTP.Request, _ call: inout Call) async throws {
///         request.headers["X-Client"] = "tool"
///     }
/// }
/// ```
public protocol HookPlugin<Input>: Sendable {
    /// The type of input that the plugin handles.
    associatedtype Input: Interceptable

    /// The name in descriptions and events. Defaults to the type's name.
    var name: String { get }

    /// The stage of the standard order. Defaults to `nil`: anywhere.
    var placement: Placement? { get }

    /// Changes the input, and the call for the stages below.
    func before(_ input: inout Input, _ call: inout Call) async throws

    /// Sees the input just above the transport, signed and complete, before each send. If it throws, that
    /// send doesn't happen.
    func willSend(_ input: Input, _ call: Call) async throws

    /// Sees the outcome of each send, including cancellations.
    func didReceive(
        _ result: Result<Input.Output, any Error>,
        _ input: Input,
        _ call: Call
    ) async throws

    /// Changes the output, or refuses it by throwing.
    func after(_ output: inout Input.Output, _ input: Input, _ call: Call) async throws

    /// Replaces an error with an output, returns `nil` to pass the error on, or throws another error.
    func onError(_ error: any Error, _ input: Input, _ call: Call) async throws -> Input.Output?
}

extension HookPlugin {
    public var name: String { Redaction.typeName(of: self) }
    public var placement: Placement? { nil }
    public func before(_ input: inout Input, _ call: inout Call) async throws {}
    public func willSend(_ input: Input, _ call: Call) async throws {}
    public func didReceive(
        _ result: Result<Input.Output, any Error>,
        _ input: Input,
        _ call: Call
    ) async throws {}
    public func after(_ output: inout Input.Output, _ input: Input, _ call: Call) async throws {}
    public func onError(
        _ error: any Error,
        _ input: Input,
        _ call: Call
    ) async throws -> Input.Output? { nil }
}

extension HookInterceptor {
    /// Creates an interceptor that runs a plugin's phases.
    public init(_ plugin: some HookPlugin<Input>) {
        self.init(
            plugin.name,
            placement: plugin.placement,
            before: { try await plugin.before(&$0, &$1) },
            willSend: { try await plugin.willSend($0, $1) },
            didReceive: { try await plugin.didReceive($0, $1, $2) },
            after: { try await plugin.after(&$0, $1, $2) },
            onError: { try await plugin.onError($0, $1, $2) }
        )
    }
}
