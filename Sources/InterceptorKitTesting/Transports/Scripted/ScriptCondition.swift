public import InterceptorKit

/// A condition that an input must meet for an expectation.
///
/// ```swift
/// let named = ScriptCondition<Job> { job, _ in
///     job.name == "nightly" ? nil : .init("the name is \(job.name), not nightly")
/// }
/// ```
public struct ScriptCondition<Input: Interceptable>: Sendable {
    /// A closure that compares an input with the expectation; `nil` means that it matches.
    public typealias Comparison =
        @Sendable (_ input: Input, _ body: HTTP.CapturedBody?) -> ScriptDifference?

    let compare: Comparison

    /// Creates a condition.
    /// - Parameter compare: Returns the difference; `nil` if there is none. It gets the body of an HTTP request as far
    ///   as it was read, and `nil` for other inputs.
    public init(_ compare: @escaping Comparison) { self.compare = compare }
}

/// A difference between an input and an expectation.
public struct ScriptDifference: Sendable, Hashable, CustomStringConvertible {
    /// The difference, as in `the path is /a, not /b`, without secrets.
    public let description: String
    /// The size of the difference, from 0 to 1, to find the expectation that was probably meant.
    public let distance: Double

    /// Creates a difference.
    /// - Parameters:
    ///   - description: The difference, as in `the path is /a, not /b`, without secrets.
    ///   - distance: The size of the difference, from 0 to 1. Defaults to 1.
    public init(_ description: String, distance: Double = 1) {
        self.description = description
        self.distance = distance
    }
}
