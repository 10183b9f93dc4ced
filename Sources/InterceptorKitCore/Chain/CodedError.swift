/// An error with a code to match: what all errors of this package have in common.
///
/// ```swift
/// do {
///     return try await api.send(.get("/orders/7")).decode(Order.self)
/// } catch TransportError.Code.timedOut {
///     return cached
/// } catch let error as any CodedError where error.isRetryable {
///     print(error.attempts)
///     throw error
/// }
/// ```
public protocol CodedError: Error {
    /// The type of its codes.
    associatedtype Code: ErrorCode

    /// The kind of failure.
    var code: Code { get }

    /// Whether another try may succeed. By default as the error classifies itself (``ClassifiedError``),
    /// and `false` if it does not.
    var isRetryable: Bool { get }

    /// The attempts that were made. By default those of its ``AttemptHistory``, and none if it has none.
    var attempts: [Attempt] { get }
}

extension CodedError {
    public var isRetryable: Bool {
        (self as? any ClassifiedError)?.classification.isRetryable ?? false
    }

    public var attempts: [Attempt] { [] }
}

/// A kind of failure, which a `catch` or `case` matches: `catch TransportError.Code.timedOut`.
public protocol ErrorCode: Hashable, Sendable, CustomStringConvertible {
    /// The error that has such codes.
    associatedtype Failure: CodedError where Failure.Code == Self
}

extension ErrorCode {
    /// Whether an error is one of this kind.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? Failure)?.code == code
    }
}
