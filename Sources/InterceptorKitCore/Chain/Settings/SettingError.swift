/// An error for a setting whose value isn't allowed, thrown before the setting is used.
///
/// ``SettingCheck`` throws it for the usual rules. For any other rule, throw one yourself:
///
/// ```swift
/// throw SettingError(
///     "Sampling.interval",
///     is: "\(interval)",
///     mustBe: "a power of two",
///     "Use 1 to keep every call."
/// )
/// ```
public struct SettingError: Error, Sendable, Hashable {
    /// The type and setting, as in `RetryPolicy.maxAttempts`.
    public let setting: String
    /// The value of the setting, as in `0`. Never a secret.
    public let value: String
    /// The values that are allowed, as in `at least 1`.
    public let rule: String
    /// More advice, in whole sentences; `nil` if the rule says enough.
    public let advice: String?

    /// Creates an error.
    /// - Parameters:
    ///   - setting: The type and setting, as in `RetryPolicy.maxAttempts`.
    ///   - value: The value in words, without secrets.
    ///   - rule: The allowed values, which follow "has to be" in the message.
    ///   - advice: More advice, in whole sentences. Defaults to none.
    public init(
        _ setting: String,
        is value: String,
        mustBe rule: String,
        _ advice: String? = nil
    ) {
        self.setting = setting
        self.value = value
        self.rule = rule
        self.advice = advice
    }
}

extension SettingError: CustomStringConvertible {
    /// The error in words, as in `RetryPolicy.maxAttempts is 0 and has to be at least 1.`, followed by the
    /// advice.
    public var description: String {
        let sentence = "\(setting) is \(value) and must be \(rule)."
        return advice.map { "\(sentence) \($0)" } ?? sentence
    }
}
