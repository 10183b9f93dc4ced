public import InterceptorKit

extension CurlTransport {
    /// An error for a transport that could not be made.
    public struct SetupError: CodedError, Sendable, Hashable, CustomStringConvertible {
        /// The kind of reason.
        public struct Code: ErrorCode {
            /// The error with these codes.
            public typealias Failure = SetupError

            public let description: String

            /// libcurl is not installed.
            public static let missingLibrary = Code(description: "missingLibrary")
            /// libcurl is too old, or was built without a required feature.
            public static let unsuitableLibrary = Code(description: "unsuitableLibrary")
            /// A setting cannot work.
            public static let invalidSetting = Code(description: "invalidSetting")
        }

        /// The kind of reason.
        public let code: Code
        /// What is wrong and what to do, in whole sentences.
        public let description: String

        init(_ code: Code, _ description: String) {
            self.code = code
            self.description = description
        }
    }
}
