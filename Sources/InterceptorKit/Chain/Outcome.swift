#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How one attempt ended, with all that a decision about it may need.
public struct Outcome<Input: Interceptable>: Sendable {
    /// What was sent.
    public let input: Input
    /// What came back, or what was thrown.
    public let result: Result<Input.Output, any Error>
    /// Time since the first attempt began.
    public let elapsed: Duration

    // Asked when somebody wants to know: most decisions need no clock.
    private let call: Call

    /// The attempt's number, from 1.
    public var attempt: Int { call.attempt }
    /// Time left until the call's deadline; `nil` without one.
    public var remaining: Duration? { call.remaining }
    /// The wall clock's present, against which dates in the output are read.
    public var date: Date { call.runtime.date }
    /// The call's clock, for a look at an output that takes time.
    public var runtime: Runtime { call.runtime }

    /// Creates an outcome.
    /// - Parameters:
    ///   - input: What was sent.
    ///   - result: What came back, or what was thrown.
    ///   - call: The call at that attempt.
    ///   - elapsed: Time since the first attempt began. Defaults to zero.
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
