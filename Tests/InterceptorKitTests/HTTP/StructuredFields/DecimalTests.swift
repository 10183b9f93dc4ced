import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.StructuredField.Decimal")
struct DecimalTests {
    typealias Field = HTTP.StructuredField

    @Test("orders decimals, converts them, and refuses integers that don't fit")
    func decimals() {
        typealias Decimal = Field.Decimal
        let thousandths = [3, -2, 2500, -2500].map { Decimal(thousandths: $0) }

        expectEqual(Decimal(-3), -3.0)
        expectEqual(Decimal(Int.max / 1000)?.thousandths, Int.max / 1000 * 1000)
        expectEqual(Decimal(Int.max / 1000 + 1), nil)
        expectEqual(Decimal(Int.min), nil)
        expectEqual(Field.BareItem.integer(.max).decimal, nil)
        expectEqual(thousandths.sorted().map(\.thousandths), [-2500, -2, 3, 2500])
        expectEqual(thousandths.map(Double.init), [0.003, -0.002, 2.5, -2.5])
    }

    @Test(
        "rounds a decimal to three digits, ties to even",
        arguments: [
            (0.0015, "0.002"), (0.0025, "0.002"), (-0.0015, "-0.002"), (9.9995, "10.0"), (1, "1.0"),
            (0.25, "0.25"), (999_999_999_999.999, "999999999999.999"),
        ]
    )
    func rounding(value: Double, text: String) throws {
        let decimal = try unwrap(HTTP.StructuredField.Decimal(rounding: value))

        expectEqual(decimal.description, text)
    }

    @Test(
        "has no decimal for a number that is too large or NaN",
        arguments: [1e12, -1e12, .nan, .infinity]
    )
    func unroundable(value: Double) {
        expectEqual(HTTP.StructuredField.Decimal(rounding: value), nil)
    }
}
