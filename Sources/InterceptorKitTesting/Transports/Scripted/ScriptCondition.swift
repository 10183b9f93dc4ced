public import InterceptorKit

/// Something an input must be to be answered by an expectation.
///
/// ```swift
/// let named = ScriptCondition<Job> { job, _ in
///     job.name == "nightly" ? nil : .init("the name is \(job.name), not nightly")
/// }
/// ```
public struct ScriptCondition<Input: Interceptable>: Sendable {
    /// Compares what was sent with what is expected; `nil` if it is that.
    public typealias Comparison =
        @Sendable (_ input: Input, _ body: HTTP.CapturedBody?) -> ScriptDifference?

    let compare: Comparison

    /// Creates a condition.
    /// - Parameter compare: Says what differs, `nil` if nothing does. It is given the body of an
    ///   HTTP request as far as it was read, and `nil` for other inputs.
    public init(_ compare: @escaping Comparison) { self.compare = compare }
}

/// What is not as expected.
public struct ScriptDifference: Sendable, Hashable, CustomStringConvertible {
    /// What differs, as in `the path is /a, not /b`; nothing secret.
    public let description: String
    /// How far off it is, from 0 to 1: finds the expectation that was probably meant.
    public let distance: Double

    /// Creates a difference.
    /// - Parameters:
    ///   - description: What differs, as in `the path is /a, not /b`; nothing secret.
    ///   - distance: How far off it is, from 0 to 1. Defaults to 1.
    public init(_ description: String, distance: Double = 1) {
        self.description = description
        self.distance = distance
    }
}
