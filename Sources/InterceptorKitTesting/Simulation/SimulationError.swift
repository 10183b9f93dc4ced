public import InterceptorKit

/// An error for a simulated run that did not end properly.
public struct SimulationError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// No task could run, but the body had not ended.
        public static let deadlock = Code(description: "deadlock")
        /// The body had ended, but a task was still running.
        public static let leftover = Code(description: "leftover")
        /// The run took more steps than its limit.
        public static let runaway = Code(description: "runaway")
        /// The body threw under one of several seeds; ``SimulationError/cause`` is its error.
        public static let failedSeed = Code(description: "failedSeed")
        /// A task slept in real time, with `Task.sleep` or a clock of the standard library.
        public static let realSleep = Code(description: "realSleep")
        /// The body threw under one of several schedules; ``SimulationError/cause`` is its error.
        public static let failedSchedule = Code(description: "failedSchedule")
        /// A schedule to replay is invalid, or does not fit the body.
        public static let invalidSchedule = Code(description: "invalidSchedule")
    }

    public var code: Code
    public var message: String
    /// The seed that replays the run; `nil` if nothing ran.
    public var seed: UInt64?
    /// The tasks that were still waiting, sleeping or running, as far as known.
    public var pending: [String]
    /// The lines that the run had recorded.
    public var trace: [String]
    /// The steps of the run, as in ``Simulation/steps``.
    public var steps: [String]
    /// The decisions that replay the run; `nil` if a seed does.
    public var schedule: String?
    /// The body's error.
    public var cause: (any Error)?

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    /// - message: The failure, in whole sentences.
    ///   - seed: The seed that replays the run. Defaults to none.
    ///   - pending: The tasks that were still waiting, sleeping or running. Defaults to none.
    ///   - trace: The lines that the run had recorded. Defaults to none.
    ///   - steps: The steps of the run. Defaults to none.
    ///   - cause: The body's error. Defaults to none.
    public init(
        _ code: Code,
        _ message: String,
        seed: UInt64? = nil,
        pending: [String] = [],
        trace: [String] = [],
        steps: [String] = [],
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.seed = seed
        self.pending = pending
        self.trace = trace
        self.steps = steps
        self.cause = cause
    }
}

extension SimulationError {
    private static let shownSteps = 40

    /// The message, the pending tasks, the trace, and the last 40 steps.
    public var description: String {
        let recorded = trace.isEmpty ? [] : ["Trace:"] + trace.map { "  \($0)" }
        var ran = steps.suffix(Self.shownSteps).map { "  \($0)" }
        if !ran.isEmpty { ran.insert("Steps, the last \(ran.count) of \(steps.count):", at: 0) }
        return ([message] + pending.map { "- \($0)" } + recorded + ran).joined(separator: "\n")
    }
}
