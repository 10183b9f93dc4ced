/// A type that observes, changes, replaces or repeats the inputs and outputs of a chain.
///
/// Call one of the chain's `proceed` methods to reach the stages below and change their output, or return
/// your own output without proceeding:
///
/// ```swift
/// struct Doubling: Interceptor {
///     func intercept(chain: InterceptorChain<Int>) async throws -> Int {
///         try await chain.proceed(chain.input * 2)
///     }
/// }
/// ```
///
/// **Concurrency.** One instance serves any number of calls at once. Keep the state of one call in local
/// variables or in ``Call`` values. Keep state shared by calls behind a lock, or in an actor that is a stored
/// property: an interceptor isn't an actor itself, because everything below runs on the caller's executor.
///
/// **Isolation.** `intercept` runs on the caller's executor if it is in the declaration that states the
/// conformance. Mark it `@concurrent` if it does heavy work.
///
/// **Cancellation.** Let `CancellationError` pass unchanged. The chain never starts a send for a cancelled
/// task.
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

    /// The members that replace this interceptor when a pipeline is built; `nil` by default.
    ///
    /// A pipeline then calls the members instead of `intercept`.
    var group: InterceptorGroup<Input>? { get }

    /// Throws if this interceptor's settings cannot work. It is called when a pipeline is built.
    ///
    /// ``SettingCheck`` has the usual rules, and throws a ``SettingError`` that names the setting, its value
    /// and the allowed values.
    func validate() throws

    /// Throws if this interceptor cannot work together with others of its pipeline. It is called when a
    /// pipeline is built, after ``validate()``.
    /// - Parameter interceptors: All interceptors of the pipeline, outermost first, this one included.
    func validate(among interceptors: [any Interceptor<Input>]) throws
}

extension Interceptor {
    /// The default: no placement, so any place is allowed.
    public var placement: Placement? { nil }

    /// The default: no members, so a single interceptor.
    public var group: InterceptorGroup<Input>? { nil }

    /// Accepts all settings.
    public func validate() throws {}

    /// Accepts all other interceptors.
    public func validate(among interceptors: [any Interceptor<Input>]) throws {}
}
