#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The result of one attempt, with its input and circumstances.
public struct Outcome<Input: Interceptable>: Sendable {
    /// The input that was sent.
    public let input: Input
    /// The output, or the error that was thrown.
    public let result: Result<Input.Output, any Error>
    /// The time since the first attempt began.
    public let elapsed: Duration

    // The call itself, because its clock is read only on demand and most decisions need no time.
    let call: Call

    /// The output; `nil` if the attempt threw.
    public var output: Input.Output? { try? result.get() }

    /// The error; `nil` if the attempt returned an output.
    public var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// The attempt's number, from 1.
    public var attempt: Int { call.attempt }
    /// The time left until the call's deadline; `nil` without one.
    public var remaining: Duration? { call.remaining }
    /// The current date, to compare with dates in the output.
    public var date: Date { call.runtime.date }
    /// The call's runtime, for a classifier that waits while it reads an output.
    public var runtime: Runtime { call.runtime }

    /// Returns the same outcome with another call.
    func of(_ call: Call) -> Outcome {
        Outcome(input: input, result: result, call: call, elapsed: elapsed)
    }

    /// Creates an outcome.
    /// - Parameters:
    ///   - input: The input that was sent.
    ///   - result: The output, or the error that was thrown.
    ///   - call: The call at that attempt.
    ///   - elapsed: The time since the first attempt began. Defaults to zero.
    public init(
        input: Input,
        result: Result<Input.Output, any Error>,
        call: Call,
        elapsed: Duration = .zero
    ) {
        self.input = input
        self.result = result
        self.call = call
        self.elapsed = elapsed
    }
}

/// A hint from the server about its rate limit.
public enum RateHint: Sendable, Hashable {
    /// Send no calls for a duration.
    case pause(Duration)
    /// Send at most this number of calls until the window resets.
    case quota(remaining: Int, resetsIn: Duration)
}
