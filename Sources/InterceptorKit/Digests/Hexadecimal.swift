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

extension [UInt8] {
    /// Bytes of lower-case hexadecimal digits; `nil` if they are not.
    init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = digit.lowerCaseHexadecimalValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self = bytes
    }
}
