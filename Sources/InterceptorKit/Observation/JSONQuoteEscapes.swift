/// Writes quotes that JSON text spells `\u0022` as `\"`, which means the same, at any depth of JSON
/// quoted in JSON. Some encoders spell every quote within a string so.
enum JSONQuoteEscapes {
    private static let digits = Array("u0022".utf8)

    /// The same JSON in the common spelling; `nil` if it has that already.
    static func shortened(_ bytes: [UInt8]) -> [UInt8]? {
        var text: [UInt8] = []
        var copied = 0
        var run = 0
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\\") {
                run += 1
                continue
            }
            if run > 0, byte == digits[0], bytes[index...].starts(with: digits) {
                text += bytes[copied..<(index - run)]
                text += Array(repeating: UInt8(ascii: "\\"), count: backslashes(run))
                text.append(UInt8(ascii: "\""))
                copied = index + digits.count
            }
            run = 0
        }
        return copied == 0 ? nil : text + bytes[copied...]
    }

    // How many stand before the quote itself: an odd run ends in the escape; an even one is half as
    // many in the string that is quoted, and what those become is escaped again.
    private static func backslashes(_ run: Int) -> Int {
        run.isMultiple(of: 2) ? 2 * backslashes(run / 2) + 1 : run
    }
}
