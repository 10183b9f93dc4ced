// For numbers from outside, and for settings that may be as large as there is: a sum that does not fit is the
// largest one that does, which every limit refuses.
extension FixedWidthInteger {
    /// The sum, or the nearest number that fits.
    @inlinable
    package func saturatingAdding(_ other: Self) -> Self {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? (other < 0 ? .min : .max) : sum
    }

    /// The product of two numbers that are not negative, or the largest number.
    @inlinable
    package func saturatingMultiplying(by other: Self) -> Self {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? .max : product
    }
}
