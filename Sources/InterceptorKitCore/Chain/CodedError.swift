/// An error with a code to match; all errors of this package conform.
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
    /// The type of this error's codes.
    associatedtype Code: ErrorCode

    /// The kind of failure.
    var code: Code { get }

    /// Whether another attempt may succeed. Defaults to the error's own classification (``ClassifiedError``),
    /// otherwise `false`.
    var isRetryable: Bool { get }

    /// The attempts that were made. Defaults to those of its ``AttemptHistory``, otherwise none.
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
    /// The error with these codes.
    associatedtype Failure: CodedError where Failure.Code == Self
}

extension ErrorCode {
    /// Returns whether an error has this code.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? Failure)?.code == code
    }
}
