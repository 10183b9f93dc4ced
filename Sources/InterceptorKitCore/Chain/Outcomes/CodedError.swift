/// An error with a code to match. All errors of this package conform.
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
///
/// Its description has the message, and the attempts if there was more than one. `dump` and debuggers show only the
/// type of its cause, because errors of other libraries or of the system may quote secrets.
public protocol CodedError: Error, CustomStringConvertible, CustomReflectable {
    /// The type of this error's codes.
    associatedtype Code: ErrorCode

    /// The kind of failure.
    var code: Code { get }

    /// The failure and the remedy, in whole sentences without secrets.
    var message: String { get }

    /// Whether another attempt may succeed. Defaults to the error's own classification (``ClassifiedError``), otherwise
    /// `false`.
    var isRetryable: Bool { get }

    /// The attempts that were made. Defaults to those of an ``AttemptHistory``, otherwise none.
    var attempts: [Attempt] { get }

    /// The underlying error. Defaults to none.
    var cause: (any Error)? { get }
}

extension CodedError {
    public var isRetryable: Bool {
        (self as? any ClassifiedError)?.classification.isRetryable ?? false
    }

    public var attempts: [Attempt] { [] }

    /// The reason why a failed last attempt was not retried although attempts were left; `nil` otherwise. See
    /// ``Attempt/stopReason``.
    public var stopReason: String? { attempts.last?.stopReason }

    public var cause: (any Error)? { nil }

    /// The message, and a line for each attempt if there was more than one or its retry was withheld.
    public var description: String { attempts.lines(after: message) }

    /// The kind of failure, the description and the cause's type.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "code": code.description, "description": description,
                "cause": cause.map { Redaction.typeName(of: $0) } as Any,
            ]
        )
    }
}

/// A kind of failure, to match in a `catch` or `case`: `catch TransportError.Code.timedOut`.
///
/// A code's description is its name in Swift, as in `timedOut`; a code that a server chose has the server's text.
public protocol ErrorCode: Hashable, Sendable, CustomStringConvertible {}

extension ErrorCode {
    /// Returns whether an error has this code.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? any CodedError)?.code as? Self == code
    }
}

/// An error that states its own classification.
///
/// The standard classifiers use it, so every retry, circuit breaker and fallback treats your own errors alike, for any
/// input.
public protocol ClassifiedError: Error {
    /// The meaning of this error.
    var classification: Classification { get }
}
