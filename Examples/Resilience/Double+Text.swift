extension Double {
    /// With two decimals.
    var hundredths: String {
        let value = Int((self * 100).rounded())
        let rest = abs(value % 100)
        return "\(value < 0 ? "-" : "")\(abs(value / 100)).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// With one decimal.
    var tenths: String {
        let value = Int((self * 10).rounded())
        return "\(value < 0 ? "-" : "")\(abs(value / 10)).\(abs(value % 10))"
    }
}
