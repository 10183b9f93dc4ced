/// The size line of a chunk (RFC 9112 section 7.1).
enum ChunkSize {
    /// Reads a line that still has its line end; extensions are ignored.
    static func parse(_ line: [UInt8]) throws(RequestRefusal) -> Int {
        guard line.suffix(2) == [13, 10] else {
            throw .malformed("A chunk's size line ends with LF alone instead of CR LF.")
        }
        let digits = line.dropLast(2).prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
        // `Int(_:radix:)` would take a sign.
        guard !digits.isEmpty, digits.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .malformed("A chunk's size is not a hexadecimal number.") }
        return size
    }
}
