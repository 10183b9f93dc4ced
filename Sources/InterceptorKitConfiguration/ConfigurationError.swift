#if Configuration
public import InterceptorKit

/// An error for a configuration from which no client can be created.
public struct ConfigurationError: CodedError, Sendable {
    /// The kind of mistake.
    public struct Code: ErrorCode {
        public let description: String

        /// A key has no value, and there is no default.
        public static let missingValue = Code(description: "missingValue")
        /// A value could not be read as the required type.
        public static let unreadableValue = Code(description: "unreadableValue")
        /// A value isn't allowed, or values can't work together.
        public static let invalidValue = Code(description: "invalidValue")
        /// The program's own settings or interceptors prevent the creation of a client.
        public static let invalidClient = Code(description: "invalidClient")
    }

    public let code: Code
    /// The keys whose values can't work, in alphabetical order and relative to the reader's scope, as in
    /// `retry.maxAttempts`; empty if no key is at fault.
    public let keys: [String]
    /// The keys and values, the reason and the remedy, in whole sentences.
    public let message: String
    /// The error that refused the settings; `nil` if the configuration itself is wrong.
    public let cause: (any Error)?

    init(_ code: Code, _ keys: [String], _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.keys = keys
        self.message = message
        self.cause = cause
    }
}

extension ConfigurationError {
    static func missing(_ key: String) -> ConfigurationError {
        ConfigurationError(
            .missingValue,
            [key],
            "The configuration has no \(key), and there is no default. Give it a value."
        )
    }

    static func unreadable(_ key: String, _ value: String?, as type: String) -> ConfigurationError {
        let shown = value.map { "is \($0)" } ?? "can't be read"
        return ConfigurationError(
            .unreadableValue,
            [key],
            "The configuration's \(key) \(shown) and must be \(type)."
        )
    }

    static func invalid(
        _ found: [(key: String, value: String)],
        _ reason: String,
        cause: (any Error)? = nil
    ) -> ConfigurationError {
        guard !found.isEmpty else {
            return ConfigurationError(.invalidClient, [], reason, cause: cause)
        }
        let values = found.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
        return ConfigurationError(
            .invalidValue,
            found.map(\.key),
            "The configuration can't work with \(values). \(reason)",
            cause: cause
        )
    }
}

extension ConfigurationError {
    /// The message, with anything that looks like a secret hidden.
    public var description: String { Redaction.standard.text(message) }
}

extension ConfigurationError: CustomReflectable {
    /// The code, the keys and the description.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": code, "keys": keys, "description": description])
    }
}
#endif
