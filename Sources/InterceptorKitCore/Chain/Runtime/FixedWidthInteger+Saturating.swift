// For numbers from outside and extreme settings: a result that does not fit becomes one that every limit refuses.
extension FixedWidthInteger {
    /// Returns the sum, or the nearest number that fits.
    @inlinable
    package func saturatingAdding(_ other: Self) -> Self {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the product of two non-negative numbers, or the largest number.
    @inlinable
    package func saturatingMultiplying(by other: Self) -> Self {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? .max : product
    }
}
