public import InterceptorKit

/// An error of a loopback server, a script or a recording, or for work that a test left running.
///
/// A simulated run throws the test kit's `SimulationError` instead.
public struct TestKitError: CodedError, Sendable {
    /// The kind of failure. `InterceptorKitTesting` adds those of scripts and recordings.
    public struct Code: ErrorCode {
        public let description: String

        package init(description: String) { self.description = description }

        /// No socket could be opened, bound or listened on, or no thread started.
        public static let cannotStart = Code(description: "cannotStart")
        /// The awaited event did not arrive in time.
        public static let timedOut = Code(description: "timedOut")
        /// The server stopped before the awaited event arrived.
        public static let stopped = Code(description: "stopped")
        /// Work was left when a test ended; see ``TestKitError/leaks``.
        public static let leftover = Code(description: "leftover")
    }

    public let code: Code
    public let message: String
    /// The place in the recording's file: a member's path as in `log.entries[3].request.url`, or a line as in
    /// `line 3, column 5`; `nil` if the error has no place.
    public let place: String?
    /// The expectation or recorded request that is nearest to the sent request, if there is one.
    public let nearest: String?
    /// The differences from ``nearest``, one per line.
    public let differences: [String]
    /// The work that was left when a test ended, one item per line.
    public let leaks: [String]
    public let cause: (any Error)?

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    /// - message: The failure, in whole sentences.
    ///   - place: The place in the recording's file. Defaults to none.
    ///   - nearest: The nearest expectation or recorded request. Defaults to none.
    /// - differences: The differences from `nearest`. Defaults to none.
    ///   - cause: The underlying error. Defaults to none.
    public init(
        _ code: Code,
        _ message: String,
        place: String? = nil,
        nearest: String? = nil,
        differences: [String] = [],
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.place = place
        self.nearest = nearest
        self.differences = differences
        self.cause = cause
        leaks = []
    }

    /// Creates an error for work that was left when a test ended.
    /// - Parameter leaks: The work, one item per line.
    public init(leaks: [String]) {
        code = .leftover
        message =
            "The test left something behind; end it before the test ends:\n"
            + leaks.map { "- \($0)" }.joined(separator: "\n")
        place = nil
        nearest = nil
        differences = []
        cause = nil
        self.leaks = leaks
    }
}
