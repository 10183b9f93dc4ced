/// Compares without ending early, so that timing does not tell how much agreed.
func isEqualInConstantTime(
    _ left: some Collection<UInt8>,
    _ right: some Collection<UInt8>
) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
