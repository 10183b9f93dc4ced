extension Collection<UInt8> {
    // Safety: the text has two bytes for each byte that is written.

    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: String {
        unsafe String(unsafeUninitializedCapacity: count * 2) { text in
            unsafe writeHexadecimal(to: text)
            return count * 2
        }
    }

    /// Writes two lower-case hexadecimal digits for each byte.
    /// - Parameter text: The place for the digits, with two bytes for each byte.
    func writeHexadecimal(to text: UnsafeMutableBufferPointer<UInt8>) {
        let isDone: Void? = withContiguousStorageIfAvailable { bytes in
            for index in bytes.indices {
                unsafe text[index &* 2] = digit(bytes[index] >> 4)
                unsafe text[index &* 2 &+ 1] = digit(bytes[index] & 15)
            }
        }
        if isDone != nil { return }
        for (index, byte) in enumerated() {
            unsafe text[index &* 2] = digit(byte >> 4)
            unsafe text[index &* 2 &+ 1] = digit(byte & 15)
        }
    }
}

@inline(__always)
private func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

private func value(ofLowerCase digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
}

extension [UInt8] {
    /// Creates bytes from lower-case hexadecimal digits; `nil` for other text.
    package init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = value(ofLowerCase: digit) else { return nil }
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
