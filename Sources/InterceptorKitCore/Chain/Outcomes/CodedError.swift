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
///
/// An error is described by its message, and by the attempts if there was more than one; `dump` and debuggers show its cause by its type alone, since the cause
/// may be an error of another library or of the system, which may quote secrets.
public protocol CodedError: Error, CustomStringConvertible, CustomReflectable {
    /// The type of this error's codes.
    associatedtype Code: ErrorCode

    /// The kind of failure.
    var code: Code { get }

    /// What happened and what to do, in whole sentences without secrets.
    var message: String { get }

    /// Whether another attempt may succeed. Defaults to the error's own classification (``ClassifiedError``),
    /// otherwise `false`.
    var isRetryable: Bool { get }

    /// The attempts that were made. Defaults to those of its ``AttemptHistory``, otherwise none.
    var attempts: [Attempt] { get }

    /// The underlying error. Defaults to none.
    var cause: (any Error)? { get }
}

extension CodedError {
    public var isRetryable: Bool {
        (self as? any ClassifiedError)?.classification.isRetryable ?? false
    }

    public var attempts: [Attempt] { [] }

    /// Why the last attempt was not followed by another although it failed and there were attempts left; `nil`
    /// otherwise. See ``Attempt/stopReason``.
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

/// A kind of failure, which a `catch` or `case` matches: `catch TransportError.Code.timedOut`.
///
/// A code's text is its name in code, as in `timedOut`; a code that a server chose has the server's text.
public protocol ErrorCode: Hashable, Sendable, CustomStringConvertible {}

extension ErrorCode {
    /// Returns whether an error has this code.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? any CodedError)?.code as? Self == code
    }
}

/// An error that states its own classification.
///
/// The standard classifiers use it, so every retry, breaker and fallback treats your own errors alike, for
/// any input.
public protocol ClassifiedError: Error {
    /// The meaning of this error.
    var classification: Classification { get }
}
