/// Why the settings of a breaker, a limit or a throttle cannot work.
public struct ResiliencePolicyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in whole sentences.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// Settings that can be checked before anything works by them.
protocol CheckedPolicy {
    func validate() throws(ResiliencePolicyError)
}

extension CheckedPolicy {
    /// Why these settings cannot work; `nil` if they can.
    var problem: ResiliencePolicyError? {
        do {
            try validate()
            return nil
        } catch {
            return error
        }
    }
}

/// Checks of settings, each with the sentence that says what is wrong.
enum SettingCheck {
    // Longer than any program runs, short enough to be counted in nanoseconds and added up.
    static let longest: Duration = .seconds(100 * 365 * 86_400)

    static func positive(_ name: String, _ value: Int) throws(ResiliencePolicyError) {
        guard value < 1 else { return }
        throw ResiliencePolicyError("\(name) is \(value) and has to be at least 1.")
    }

    static func notNegative(_ name: String, _ value: Int) throws(ResiliencePolicyError) {
        guard value < 0 else { return }
        throw ResiliencePolicyError("\(name) is \(value) and cannot be negative.")
    }

    static func positive(_ name: String, _ value: Duration) throws(ResiliencePolicyError) {
        guard value > .zero, value <= longest else {
            throw ResiliencePolicyError(
                "\(name) is \(value.formattedSeconds) and has to be more than zero and at most a century."
            )
        }
    }

    static func notNegative(_ name: String, _ value: Duration) throws(ResiliencePolicyError) {
        guard value >= .zero, value <= longest else {
            throw ResiliencePolicyError(
                "\(name) is \(value.formattedSeconds) and has to be from zero to a century."
            )
        }
    }

    /// Refuses NaN too, which is in no range.
    static func within(
        _ range: ClosedRange<Double>,
        _ name: String,
        _ value: Double
    ) throws(ResiliencePolicyError) {
        guard !range.contains(value) else { return }
        throw ResiliencePolicyError(
            "\(name) is \(value) and has to be from \(range.lowerBound) to \(range.upperBound)."
        )
    }

    static func share(_ name: String, _ value: Double) throws(ResiliencePolicyError) {
        guard !(value > 0 && value <= 1) else { return }
        throw ResiliencePolicyError(
            "\(name) is \(value) and has to be more than 0 and at most 1, as a share of all calls."
        )
    }
}
