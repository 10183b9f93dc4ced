extension HTTP.StructuredField {
    /// A decimal number with three digits after the point, held exactly (RFC 9651 section 3.3.2).
    public struct Decimal: Sendable, Hashable {
        /// The number times 1,000. A number beyond ±999,999,999,999,999 thousandths cannot be serialised.
        public let thousandths: Int

        /// Creates a number from its thousandths.
        public init(thousandths: Int) { self.thousandths = thousandths }

        /// Creates a whole number; `nil` if its thousandths do not fit an `Int`.
        public init?(_ whole: Int) {
            let (thousandths, isTooLarge) = whole.multipliedReportingOverflow(by: 1000)
            guard !isTooLarge else { return nil }
            self.init(thousandths: thousandths)
        }

        /// Creates the nearest number; of two equally near ones, the even one (section 4.1.5).
        /// - Returns: `nil` for a value that isn't finite or has more than 12 digits before the point.
        public init?(rounding value: Double) {
            let thousandths = (value * 1000).rounded(.toNearestOrEven)
            guard thousandths.magnitude < 1e15 else { return nil }
            self.init(thousandths: Int(thousandths))
        }
    }
}

extension HTTP.StructuredField.Decimal: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.thousandths < right.thousandths }
}

extension HTTP.StructuredField.Decimal: ExpressibleByFloatLiteral {
    /// Creates the nearest number; a value that is too large stays too large and can't be sent.
    public init(floatLiteral value: Double) {
        self = Self(rounding: value) ?? Self(thousandths: value < 0 ? .min : .max)
    }
}

extension HTTP.StructuredField.Decimal: CustomStringConvertible {
    /// The shortest form, with at least one digit after the point, as in `-0.25` and `1.0`.
    public var description: String {
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var fraction = rest
        var digits = 3
        while digits > 1, fraction % 10 == 0 {
            fraction /= 10
            digits -= 1
        }
        let tail = String(fraction)
        let zeros = String(repeating: "0", count: digits - tail.utf8.count)
        return "\(thousandths < 0 ? "-" : "")\(whole).\(zeros)\(tail)"
    }
}

extension Double {
    /// Creates the number nearest to a structured field's decimal.
    public init(_ decimal: HTTP.StructuredField.Decimal) {
        self = Double(decimal.thousandths) / 1000
    }
}
