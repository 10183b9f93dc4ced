/// Comparison of secrets.
public enum ConstantTime {
    /// Compares bytes without ending early, so that the time does not reveal how many bytes match.
    ///
    /// Lengths are not hidden.
    @inlinable
    public static func isEqual(
        _ left: some Collection<UInt8>,
        _ right: some Collection<UInt8>
    ) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
