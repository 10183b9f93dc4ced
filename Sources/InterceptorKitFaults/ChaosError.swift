public import InterceptorKit

/// An error for faults that cannot be injected as stated.
public struct ChaosError: CodedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of mistake.
    public struct Code: ErrorCode {
        /// The error with these codes.
        public typealias Failure = ChaosError

        public let description: String

        /// A rate is not a number from 0 to 1.
        public static let invalidRate = Code(description: "invalid rate")
        /// The rates of faults that exclude each other add up to more than 1.
        public static let invalidSum = Code(description: "invalid sum")
        /// A delay is negative, or a size is not positive.
        public static let invalidSetting = Code(description: "invalid setting")
    }

    /// The kind of mistake.
    public let code: Code
    /// The fault, what is wrong with it and what is allowed, in whole sentences.
    public let description: String

    init(_ code: Code, _ message: String) {
        self.code = code
        description = message
    }
}
