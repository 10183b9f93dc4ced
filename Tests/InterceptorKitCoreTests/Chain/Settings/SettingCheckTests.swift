import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("SettingCheck")
struct SettingCheckTests {
    private static let check = SettingCheck(of: "Sampling")

    private func refuses(_ body: (SettingCheck) throws(SettingError) -> Void) -> Bool {
        do {
            try body(Self.check)
            return false
        } catch {
            return true
        }
    }

    @Test("accepts whole numbers from their least on", arguments: [Int.min, -1, 0, 1, .max])
    func numbers(value: Int) {
        expectEqual(
            refuses { (check) throws(SettingError) in try check.positive("n", value) },
            (value < 1)
        )
        expectEqual(
            refuses { (check) throws(SettingError) in try check.notNegative("n", value) },
            (value < 0)
        )
    }

    @Test(
        "accepts times up to a century, to the nanosecond",
        arguments: [
            (.seconds(-1), true, true), (.zero, true, false), (.nanoseconds(1), false, false),
            (SettingCheck.longest, false, false),
            (SettingCheck.longest + .nanoseconds(1), true, true), (.seconds(Int64.max), true, true),
        ] as [(Duration, Bool, Bool)]
    )
    func times(value: Duration, isRefusedAsPositive: Bool, isRefused: Bool) {
        expectEqual(
            refuses { (check) throws(SettingError) in try check.positive("t", value) },
            isRefusedAsPositive
        )
        expectEqual(
            refuses { (check) throws(SettingError) in try check.notNegative("t", value) },
            isRefused
        )
    }

    @Test(
        "accepts a share above nothing and up to the whole, and no NaN",
        arguments: [
            (0, true), (Double.leastNonzeroMagnitude, false), (1, false), (1.0.nextUp, true),
            (-0.5, true), (.nan, true), (.infinity, true),
        ] as [(Double, Bool)]
    )
    func shares(value: Double, isRefused: Bool) {
        expectEqual(
            refuses { (check) throws(SettingError) in try check.share("s", value) },
            isRefused
        )
    }

    @Test("accepts both ends of a range, and no NaN")
    func ranges() throws {
        try Self.check.within(1...3, "r", 1)
        try Self.check.within(1...3, "r", 3)

        let error = #expect(throws: SettingError.self) {
            try Self.check.within(1...3.0, "r", .nan)
        }
        expectEqual(error?.description, "Sampling.r is nan and must be from 1.0 to 3.0.")
    }

    @Test("puts no text together for a setting that can work, and all of it else")
    func texts() throws {
        func text(_ text: String) -> String {
            Issue.record("\(text) was asked for")
            return text
        }

        try Self.check.require(true, "interval", text("value"), text("rule"))
        let error = #expect(throws: SettingError.self) {
            try Self.check.require(false, "interval", "3", "a power of two", "Use 1 for all.")
        }

        expectEqual(
            error?.description,
            "Sampling.interval is 3 and must be a power of two. Use 1 for all."
        )
    }
}
