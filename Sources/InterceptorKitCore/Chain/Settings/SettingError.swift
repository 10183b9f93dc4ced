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
    /// The allowed values, as in `at least 1`.
    public let rule: String
    /// More advice, in whole sentences; `nil` if the rule says enough.
    public let advice: String?

    /// Creates an error.
    /// - Parameters:
    ///   - setting: The type and setting, as in `RetryPolicy.maxAttempts`.
    ///   - value: The value in words, without secrets.
    /// - rule: The allowed values, which follow "must be" in the message.
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
    /// The error in words, as in `RetryPolicy.maxAttempts is 0 and must be at least 1.`, followed by the advice.
    public var description: String {
        let sentence = "\(setting) is \(value) and must be \(rule)."
        return advice.map { "\(sentence) \($0)" } ?? sentence
    }
}

/// The usual rules for settings, for use in ``Interceptor/validate()``.
///
/// ```swift
/// func validate() throws {
///     let check = SettingCheck(of: "Sampling")
///     try check.positive("window", window)
///     try check.share("rate", rate)
/// }
/// ```
public struct SettingCheck: Sendable {
    /// The longest accepted duration: 100 years, so that sums in nanoseconds can't overflow.
    public static let longest: Duration = .seconds(100 * 365 * 86_400)

    private let owner: String

    /// Creates a check of one type's settings.
    /// - Parameter owner: The name of the type, shown in errors.
    public init(of owner: String) { self.owner = owner }

    /// Requires a number of at least 1.
    public func positive(_ name: String, _ value: Int) throws(SettingError) {
        try require(value >= 1, name, "\(value)", "at least 1")
    }

    /// Requires a number of at least 0.
    public func notNegative(_ name: String, _ value: Int) throws(SettingError) {
        try require(value >= 0, name, "\(value)", "at least 0")
    }

    /// Requires a time of more than zero, up to ``longest``.
    public func positive(_ name: String, _ value: Duration) throws(SettingError) {
        let isAllowed = value > .zero && value <= Self.longest
        try require(isAllowed, name, value.formattedSeconds, "more than zero and at most 100 years")
    }

    /// Requires a time from zero to ``longest``.
    public func notNegative(_ name: String, _ value: Duration) throws(SettingError) {
        let isAllowed = value >= .zero && value <= Self.longest
        try require(isAllowed, name, value.formattedSeconds, "from zero to 100 years")
    }

    /// Requires a value in a range. NaN is in no range.
    public func within<Value: Comparable>(
        _ range: ClosedRange<Value>,
        _ name: String,
        _ value: Value
    ) throws(SettingError) {
        let rule = "from \(range.lowerBound) to \(range.upperBound)"
        try require(range.contains(value), name, "\(value)", rule)
    }

    /// Requires a share of a whole: more than 0 and at most 1.
    public func share(_ name: String, _ value: Double) throws(SettingError) {
        try require(value > 0 && value <= 1, name, "\(value)", "more than 0 and at most 1")
    }

    /// Requires any other condition.
    /// - Parameters:
    ///   - isAllowed: Whether the value is allowed.
    ///   - name: The setting's name.
    ///   - value: The value in words, without secrets.
    /// - rule: The allowed values, which follow "must be" in the message.
    ///   - advice: More advice, in whole sentences. Defaults to none.
    public func require(
        _ isAllowed: Bool,
        _ name: String,
        _ value: @autoclosure () -> String,
        _ rule: @autoclosure () -> String,
        _ advice: String? = nil
    ) throws(SettingError) {
        guard !isAllowed else { return }
        throw SettingError("\(owner).\(name)", is: value(), mustBe: rule(), advice)
    }
}
