extension Runtime {
    /// Returns unpredictable bytes, for example for a nonce.
    /// - Parameter count: The number of bytes.
    public func randomBytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let word = random()
            bytes += stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: word >> UInt64($0))
            }
        }
        return Array(bytes.prefix(count))
    }
}
