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
/// **Concurrency.** One instance serves any number of calls at once. Keep the state of one call in local variables or
/// in ``Call`` values. Keep state that calls share behind a lock, or in an actor that is a stored property. An
/// interceptor is not itself an actor, because everything below it runs on the caller's executor.
///
/// **Isolation.** `intercept` runs on the caller's executor if it is part of the declaration that states the
/// conformance. Mark it `@concurrent` if it does heavy work.
///
/// **Cancellation.** Let `CancellationError` pass unchanged. The chain never starts a send for a cancelled task.
public protocol Interceptor<Input>: Sendable {
    /// The type of input that this interceptor handles.
    associatedtype Input: Interceptable

    /// Handles one pass of an input through the chain.
    /// - Parameter chain: The input, its call, and the interceptors below.
    /// - Returns: The output for the interceptor above.
    nonisolated(nonsending) func intercept(chain: InterceptorChain<Input>) async throws
        -> Input.Output

    /// The stage of the standard order that this interceptor belongs to, which a ``Pipeline`` checks when it is built.
    /// Defaults to `nil`, which allows any place.
    var placement: Placement? { get }

    /// The members that a pipeline uses in place of this interceptor. Defaults to `nil`.
    ///
    /// If there are members, the pipeline calls them and never calls `intercept`.
    var group: InterceptorGroup<Input>? { get }

    /// Whether the interceptor is over soon after its call's ``Call/deadline`` without being cancelled, as far as it does
    /// not depend on the stages below. Defaults to `false`.
    ///
    /// A time limit needs a task of its own, which costs more than most interceptors, unless all stages below it keep
    /// the deadline. An interceptor whose only wait is for `proceed` does: return `true` then.
    var keepsDeadline: Bool { get }

    /// Throws if this interceptor's settings cannot work. A pipeline calls it when it is built.
    ///
    /// ``SettingCheck`` has the usual rules. Its ``SettingError`` names the setting, its value and the allowed values.
    func validate() throws

    /// Throws if this interceptor cannot work together with others of its pipeline. A pipeline calls it when it is
    /// built, after ``validate()``.
    /// - Parameter interceptors: All interceptors of the pipeline, outermost first, this one included.
    func validate(among interceptors: [any Interceptor<Input>]) throws
}

extension Interceptor {
    /// The default: no placement, which allows any place.
    public var placement: Placement? { nil }

    /// The default: no members.
    public var group: InterceptorGroup<Input>? { nil }

    /// The default: the interceptor may have to be cancelled.
    public var keepsDeadline: Bool { false }

    /// Accepts all settings.
    public func validate() throws {}

    /// Accepts all other interceptors.
    public func validate(among interceptors: [any Interceptor<Input>]) throws {}
}
