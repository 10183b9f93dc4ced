/// The outcome of one attempt of a call.
public struct Attempt: Sendable, Hashable {
    /// The number of the attempt, from 1.
    public let number: Int
    /// How it ended, in a few words without secrets.
    public let reason: String
    /// How long it took; `nil` if it was the only one, which is not timed.
    public let duration: Duration?
    /// The wait that followed; `nil` after the last one.
    public let delay: Duration?
    /// Why it was not followed by another although it failed and there were attempts left, as in `sending it again
    /// would not be safe`; `nil` otherwise, and where nothing retries.
    public let stopReason: String?

    /// Creates a record of an attempt.
    /// - Parameters:
    ///   - number: The number of the attempt, from 1.
    ///   - reason: How it ended, in a few words without secrets.
    ///   - duration: How long it took. Defaults to `nil`: unknown.
    ///   - delay: The wait that followed. Defaults to `nil`: it was the last one.
    ///   - stopReason: Why it was not followed by another although it failed. Defaults to `nil`: there
    ///     was no attempt left, or it was none that is retried.
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
/// A retrying interceptor records its attempts here if it made more than one, or left out one that its limit
/// allowed. Outputs and errors that do not
/// conform stay unchanged.
public protocol AttemptHistory: Sendable {
    /// All attempts in order, including the first; the last 32 if there were more. Empty if nothing was sent,
    /// as for a stored response.
    var attempts: [Attempt] { get set }
}

extension [Attempt] {
    /// Whether there is more to say than that a single attempt failed.
    var isHistory: Bool { count > 1 || last?.stopReason != nil }

    /// A line for each attempt, if there was more than one or its retry was withheld.
    func lines(after first: String) -> String {
        isHistory ? ([first] + map(\.description)).joined(separator: "\n") : first
    }
}
