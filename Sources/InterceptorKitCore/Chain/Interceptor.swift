/// A type that observes, changes, answers or repeats the inputs and outputs of a chain.
///
/// Call one of the chain's `proceed` methods to reach the stages below, change what comes back, or
/// return an output of your own without proceeding:
///
/// ```swift
/// struct Doubling: Interceptor {
///     func intercept(chain: InterceptorChain<Int>) async throws -> Int {
///         try await chain.proceed(chain.input * 2)
///     }
/// }
/// ```
///
/// **Concurrency.** One instance serves any number of calls at once. Keep state that belongs to one
/// call in local variables or in ``Call`` values, and state shared by calls behind a lock or an actor
/// that is a stored property: an interceptor is not itself an actor, because everything below runs on
/// the executor of the one who calls.
///
/// **Isolation.** `intercept` runs on the caller's executor when it stands in the declaration that
/// states the conformance. Mark it `@concurrent` if it does heavy work of its own.
///
/// **Cancellation.** Let `CancellationError` pass as itself. The chain never starts a send for a
/// cancelled task.
public protocol Interceptor<Input>: Sendable {
    /// The type of input that this interceptor handles.
    associatedtype Input: Interceptable

    /// Handles one pass of an input through the chain.
    /// - Parameter chain: The input, its call, and the interceptors below.
    /// - Returns: The output for the interceptor above.
    nonisolated(nonsending) func intercept(chain: InterceptorChain<Input>) async throws
        -> Input.Output

    /// The stage of the standard order that this interceptor belongs to; `nil`, the default, allows any place.
    ///
    /// Building a ``Pipeline`` checks it.
    var placement: Placement? { get }

    /// Members to lay flat in this interceptor's place when a pipeline is built; `nil` by default.
    ///
    /// A pipeline then calls the members and not `intercept`.
    var group: InterceptorGroup<Input>? { get }

    /// Throws if this interceptor's settings cannot work. Called when a pipeline is built.
    ///
    /// ``SettingCheck`` has the usual rules, and throws a ``SettingError`` that says which setting has
    /// which value and what is allowed.
    func validate() throws
}

extension Interceptor {
    /// Anywhere.
    public var placement: Placement? { nil }

    /// No members: a single interceptor.
    public var group: InterceptorGroup<Input>? { nil }

    /// Accepts every setting.
    public func validate() throws {}
}
