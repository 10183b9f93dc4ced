/// Text to sign, put together byte by byte in one buffer.
struct CanonicalText {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    /// Some bytes, percent-encoded.
    init(encoding bytes: [UInt8]) {
        self.init(capacity: bytes.count * 3)
        appendEncoded(bytes)
    }

    /// The bytes as text, to be shown; what is not UTF-8 is replaced.
    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Makes room for another text in the same buffer.
    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    /// Takes back what was added from an index on.
    mutating func clear(from index: Int) { bytes.removeLast(bytes.count - index) }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(contentsOf more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    mutating func append(_ character: Unicode.Scalar) {
        bytes.append(UInt8(truncatingIfNeeded: character.value))
    }

    /// Puts the letters of ASCII from an index on into lower case.
    mutating func lowercase(from start: Int) {
        for index in start..<bytes.count where bytes[index] &- UInt8(ascii: "A") < 26 {
            bytes[index] |= 0x20
        }
    }

    mutating func appendHexadecimal(_ digest: HashAlgorithm.Digest) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: digest.count * 2))
        unsafe bytes.withUnsafeMutableBufferPointer { all in
            // Safety: room for two digits a byte was appended from `start` on.
            unsafe digest.writeHexadecimal(to: UnsafeMutableBufferPointer(rebasing: all[start...]))
        }
    }

    mutating func appendBase64(_ more: [UInt8]) { Base64.append(more, to: &bytes) }

    /// Whether all from an index on can be printed, or are tabs. Goes to the end in any case, many bytes
    /// at once.
    func isPrintable(from start: Int) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { all in
            var isWrong: UInt8 = 0
            for index in start..<all.count {
                // Safety: the index is below `all.count`, by the range.
                let byte = unsafe all[index]
                isWrong |= byte &- 0x20 > 0x5E && byte != 0x09 ? 1 : 0
            }
            return isWrong == 0
        }
    }

    /// Adds a byte, percent-encoded in capital digits unless it is unreserved (RFC 3986 section 2.3).
    mutating func appendEncoded(_ byte: UInt8) {
        if HTTP.PercentEncoding.isUnreserved(byte) {
            bytes.append(byte)
        } else {
            bytes.append(UInt8(ascii: "%"))
            bytes.append(HTTP.PercentEncoding.hexDigit(byte >> 4))
            bytes.append(HTTP.PercentEncoding.hexDigit(byte & 15))
        }
    }

    mutating func appendEncoded(_ text: some Sequence<UInt8>) {
        for byte in text { appendEncoded(byte) }
    }

    /// Adds text that may be percent-encoded already, encoded one way: escapes of unreserved characters
    /// are undone, others are in capital digits.
    mutating func appendEncodedOnce(_ text: ArraySlice<UInt8>, keeping kept: UInt8? = nil) {
        var index = text.startIndex
        while index < text.endIndex {
            let start = index
            while index < text.endIndex,
                HTTP.PercentEncoding.isUnreserved(text[index]) || text[index] == kept
            {
                index += 1
            }
            bytes.append(contentsOf: text[start..<index])
            guard index < text.endIndex else { return }
            if let escaped = HTTP.PercentEncoding.escapedByte(in: text, at: index) {
                appendEncoded(escaped)
                index += 3
            } else {
                appendEncoded(text[index])
                index += 1
            }
        }
    }

    /// Adds a field's value without surrounding blanks, each run of blanks within as one space.
    mutating func appendSingleSpaced(_ value: String) {
        let start = bytes.count
        bytes.append(contentsOf: value.utf8)
        // Mostly there is nothing to do: a list of fields trims what it takes.
        var wasBlank = true
        for index in start..<bytes.count {
            let isBlank = bytes[index] == 0x20
            if bytes[index] == 0x09 || (isBlank && wasBlank) { return squeeze(from: start) }
            wasBlank = isBlank
        }
        if wasBlank { squeeze(from: start) }
    }

    private mutating func squeeze(from start: Int) {
        var end = start
        for index in start..<bytes.count {
            let byte = bytes[index] == 0x09 ? 0x20 : bytes[index]
            if byte == 0x20, end == start || bytes[end - 1] == 0x20 { continue }
            bytes[end] = byte
            end += 1
        }
        if end > start, bytes[end - 1] == 0x20 { end -= 1 }
        bytes.removeLast(bytes.count - end)
    }
}
