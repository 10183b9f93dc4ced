extension Collection<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: String {
        unsafe String(unsafeUninitializedCapacity: count * 2) { text in
            var end = 0
            for byte in self {
                unsafe text[end] = digit(byte >> 4)
                unsafe text[end + 1] = digit(byte & 15)
                end += 2
            }
            return end
        }
    }
}

private func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
