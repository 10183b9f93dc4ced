/// The tests for bytes of one kind, on eight bytes at once.
///
/// A test sets the highest bit of each byte that is of its kind. A borrow from one byte can set that of the next, so
/// only a result without any bit is certain of all eight.
package enum ByteMarks {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highest: UInt64 = 0x8080_8080_8080_8080

    /// Bytes below 32, and 127.
    @inline(__always)
    static func controls(_ word: UInt64) -> UInt64 {
        ((word &- ones &* 0x20) & ~word) | equal(to: 0x7F, word)
    }

    /// Bytes above 127.
    @inline(__always)
    static func nonASCII(_ word: UInt64) -> UInt64 { word }

    /// Bytes that equal one.
    @inline(__always)
    static func equal(to byte: UInt8, _ word: UInt64) -> UInt64 {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference
    }

    /// Returns whether text has a byte.
    package static func holds(_ byte: UInt8, _ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            // Safety: the buffer is read in the closure alone. A test for one byte marks no other unless it marks that.
            unsafe mayMark(UnsafeRawBufferPointer(bytes), filler: ~byte) { word in
                equal(to: byte, word)
            }
        }
    }

    /// Returns whether a test may mark a byte; `false` is certain.
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - filler: A byte that the test does not mark, for fewer than eight bytes. Defaults to a letter.
    ///   - test: The test.
    @inline(__always)
    static func mayMark(
        _ bytes: UnsafeRawBufferPointer,
        filler: UInt8 = UInt8(ascii: "A"),
        _ test: (UInt64) -> UInt64
    ) -> Bool {
        // Safety: each load of eight bytes ends within the buffer; the last overlaps the one before.
        let count = bytes.count
        var found: UInt64 = 0
        if count >= 8 {
            var index = 0
            while index &+ 8 <= count {
                found |= unsafe test(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                index &+= 8
            }
            let last = count &- 8
            found |= unsafe test(bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self))
        } else {
            var word = ones &* UInt64(filler)
            for index in bytes.indices { word = word &<< 8 | UInt64(unsafe bytes[index]) }
            found = test(word)
        }
        return found & highest != 0
    }
}
