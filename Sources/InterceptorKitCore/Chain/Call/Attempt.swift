/// The outcome of one attempt of a call.
public struct Attempt: Sendable, Hashable {
    /// The number of the attempt, from 1.
    public let number: Int
    /// The result of the attempt, in a few words without secrets.
    public let reason: String
    /// The time that the attempt took; `nil` if it was the only one, which is not timed.
    public let duration: Duration?
    /// The wait that followed; `nil` after the last one.
    public let delay: Duration?
    /// The reason why no other attempt followed although this one failed and attempts were left, as in
    /// `sending it again would not be safe`; `nil` otherwise, and where nothing retries.
    public let stopReason: String?

    /// Creates a record of an attempt.
    /// - Parameters:
    ///   - number: The number of the attempt, from 1.
    ///   - reason: The result of the attempt, in a few words without secrets.
    ///   - duration: The time that the attempt took. Defaults to `nil`, which means unknown.
    ///   - delay: The wait that followed. Defaults to `nil`, for the last attempt.
    ///   - stopReason: The reason why no other attempt followed. Defaults to `nil`: no attempt was left, or the result
    ///     is not one that is retried.
    public init(
        number: Int,
        reason: String,
        duration: Duration? = nil,
        delay: Duration? = nil,
        stopReason: String? = nil
    ) {
        self.number = number
        self.reason = reason
        self.duration = duration
        self.delay = delay
        self.stopReason = stopReason
    }
}

extension Attempt: CustomStringConvertible {
    /// The attempt as text, as in `attempt 1: 503 Service Unavailable, then waited 0.05 s`.
    public var description: String {
        let wait = delay.map { ", then waited \($0.formattedSeconds)" } ?? ""
        let stop = stopReason.map { ", not sent again: \($0)" } ?? ""
        return "attempt \(number): \(reason)\(wait)\(stop)"
    }
}

/// An output or error that lists the attempts behind it.
///
/// A retrying interceptor records its attempts here if it made more than one, or if it skipped one that its limit
/// allowed. Outputs and errors that do not conform stay unchanged.
public protocol AttemptHistory: Sendable {
    /// All attempts in order, including the first; only the last 32 if there were more. Empty if nothing was sent, for
    /// example with a stored response.
    var attempts: [Attempt] { get set }
}

extension [Attempt] {
    /// Whether the attempts say more than that a single attempt failed.
    var isHistory: Bool { count > 1 || last?.stopReason != nil }

    /// Returns a line for each attempt if there was more than one or a retry was withheld, and otherwise only `first`.
    func lines(after first: String) -> String {
        isHistory ? ([first] + map(\.description)).joined(separator: "\n") : first
    }
}
