public import InterceptorKit

/// An error for a request that could not get a proof, and was not sent.
public struct DPoPError: CodedError, Sendable, Hashable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        /// The error with these codes.
        public typealias Failure = DPoPError

        public let description: String

        /// The key cannot sign proofs.
        public static let unsuitableKey = Code(description: "unsuitableKey")
        /// The interceptor's origins cannot work.
        public static let invalidOrigins = Code(description: "invalidOrigins")
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong and what to do, in whole sentences.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension DPoPError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
