public import InterceptorKit

/// Faults that cannot be injected as stated.
public struct ChaosError: CodedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of mistake.
    public struct Code: ErrorCode {
        /// The error that has such codes.
        public typealias Failure = ChaosError

        public let description: String

        /// A rate is not a number from 0 to 1.
        public static let invalidRate = Code(description: "invalid rate")
        /// The rates of faults that exclude each other are more than 1 together.
        public static let invalidSum = Code(description: "invalid sum")
        /// A delay is negative, or a size is not positive.
        public static let invalidSetting = Code(description: "invalid setting")
    }

    /// The kind of mistake.
    public let code: Code
    /// Which fault, what is wrong with it and what is allowed, in whole sentences.
    public let description: String

    init(_ code: Code, _ message: String) {
        self.code = code
        description = message
    }
}
