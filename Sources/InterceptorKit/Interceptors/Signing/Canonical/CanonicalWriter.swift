/// A text to sign, built byte by byte in one buffer, for custom signature schemes.
public struct CanonicalWriter: Sendable {
    /// The text so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty text.
    /// - Parameter capacity: The initial capacity in bytes. Defaults to 512.
    public init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    /// Creates a text from bytes, which are percent-encoded.
    public init(encoding bytes: [UInt8]) {
        self.init(capacity: bytes.count * 3)
        appendEncoded(bytes)
    }

    /// The text for display; bytes that are not UTF-8 are replaced.
    public var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Clears the text and keeps its buffer.
    public mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    /// Removes everything from an index on.
    public mutating func clear(from index: Int) { bytes.removeLast(bytes.count - index) }

    /// Adds text in UTF-8.
    public mutating func append(_ text: String) {
        var text = text
        // Safety: the bytes are copied in the closure that lends them.
        text.withUTF8 { more in unsafe bytes.append(contentsOf: more) }
    }

    /// Adds bytes as they are.
    public mutating func append(contentsOf more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Adds an ASCII character.
    public mutating func append(_ character: Unicode.Scalar) {
        bytes.append(UInt8(truncatingIfNeeded: character.value))
    }

    /// Changes ASCII letters from an index on to lower case.
    public mutating func lowercase(from start: Int) {
        for index in start..<bytes.count where bytes[index] &- UInt8(ascii: "A") < 26 {
            bytes[index] |= 0x20
        }
    }

    /// Adds a digest in lower-case hexadecimal digits.
    public mutating func appendHexadecimal(_ digest: HashAlgorithm.Digest) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: digest.count * 2))
        unsafe bytes.withUnsafeMutableBufferPointer { all in
            // Safety: two digits per byte were appended from `start` on.
            unsafe digest.writeHexadecimal(to: UnsafeMutableBufferPointer(rebasing: all[start...]))
        }
    }

    /// Adds bytes in Base64 (RFC 4648 section 4).
    public mutating func appendBase64(_ more: [UInt8]) { Base64.append(more, to: &bytes) }

    /// Returns whether all bytes from an index on are printable or tabs. Always reads to the end, many bytes at once.
    public func isPrintable(from start: Int) -> Bool {
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
    public mutating func appendEncoded(_ byte: UInt8) {
        if PercentEncoding.isUnreserved(byte) {
            bytes.append(byte)
        } else {
            bytes.append(UInt8(ascii: "%"))
            bytes.append(PercentEncoding.hexDigit(byte >> 4))
            bytes.append(PercentEncoding.hexDigit(byte & 15))
        }
    }

    /// Adds bytes, each percent-encoded in capital digits unless it is unreserved.
    // Inlinable, because unspecialized code for a sequence would box each byte.
    @inlinable
    public mutating func appendEncoded(_ text: some Sequence<UInt8>) {
        // Safety, of both: the bytes are read in the closure that lends them.
        let written: Void? = text.withContiguousStorageIfAvailable { bytes in
            unsafe appendEncoded(all: bytes)
        }
        if written != nil { return }
        unsafe Array(text).withUnsafeBufferPointer { bytes in unsafe appendEncoded(all: bytes) }
    }

    @usableFromInline
    mutating func appendEncoded(all text: UnsafeBufferPointer<UInt8>) {
        // Safety: the index is one of the buffer's own.
        for index in text.indices { appendEncoded(unsafe text[index]) }
    }

    /// Adds text that may be percent-encoded: escapes of unreserved characters are decoded, others get capital digits.
    /// - Parameters:
    ///   - text: The text.
    ///   - kept: Another byte to leave unencoded, such as a slash. Defaults to none.
    public mutating func appendEncodedOnce(_ text: ArraySlice<UInt8>, keeping kept: UInt8? = nil) {
        var index = text.startIndex
        while index < text.endIndex {
            let start = index
            while index < text.endIndex,
                PercentEncoding.isUnreserved(text[index]) || text[index] == kept
            {
                index += 1
            }
            bytes.append(contentsOf: text[start..<index])
            guard index < text.endIndex else { return }
            if let escaped = PercentEncoding.escapedByte(in: text, at: index) {
                appendEncoded(escaped)
                index += 3
            } else {
                appendEncoded(text[index])
                index += 1
            }
        }
    }

    /// Adds a field's value without surrounding white space; runs of white space within become one space.
    public mutating func appendSingleSpaced(_ value: String) {
        let start = bytes.count
        bytes.append(contentsOf: value.utf8)
        // Usually nothing is left to do, because a list of fields trims its values.
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
