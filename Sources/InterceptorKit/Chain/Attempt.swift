/// What one attempt of a call came to.
public struct Attempt: Sendable, Hashable {
    /// Its number, from 1.
    public let number: Int
    /// How it ended, in a few words without secrets.
    public let reason: String
    /// How long it took.
    public let duration: Duration
    /// The wait that followed; `nil` after the last one.
    public let delay: Duration?

    /// Creates a record of an attempt.
    /// - Parameters:
    ///   - number: Its number, from 1.
    ///   - reason: How it ended, in a few words without secrets.
    ///   - duration: How long it took.
    ///   - delay: The wait that followed; `nil` after the last one.
    public init(number: Int, reason: String, duration: Duration, delay: Duration?) {
        self.number = number
        self.reason = reason
        self.duration = duration
        self.delay = delay
    }
}

extension Attempt: CustomStringConvertible {
    /// As in `attempt 1: 503 Service Unavailable, then waited 0.05 s`.
    public var description: String {
        let wait = delay.map { ", then waited \($0.formattedSeconds)" } ?? ""
        return "attempt \(number): \(reason)\(wait)"
    }
}

/// An output or error that can carry what was tried before it.
///
/// A retrying interceptor records its attempts here when there was more than one. Outputs and errors
/// that do not conform pass untouched.
public protocol AttemptHistory: Sendable {
    /// The attempts, in order, the last 32 if there were more; empty when there was only one.
    var attempts: [Attempt] { get set }
}
