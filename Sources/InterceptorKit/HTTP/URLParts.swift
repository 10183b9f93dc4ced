/// Where a URL's parts stand in its text, in bytes (RFC 3986 section 3).
struct URLParts: Sendable {
    private(set) var scheme: Range<Int>?
    private(set) var host: Range<Int>?
    private(set) var port: Int?
    private(set) var path = 0..<0
    private(set) var query: Range<Int>?
    private(set) var problem: String?

    init(_ text: String) {
        let bytes = Array(text.utf8)
        do throws(Problem) {
            try parse(bytes)
        } catch {
            problem = error.text
        }
    }

    private struct Problem: Error { let text: String }

    private mutating func parse(_ bytes: [UInt8]) throws(Problem) {
        try checkCharacters(bytes)
        var cursor = 0
        if let colon = Self.endOfScheme(bytes) {
            scheme = 0..<colon
            cursor = colon + 1
        }
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        if bytes[cursor..<max(cursor, end)].starts(with: "//".utf8) {
            let start = cursor + 2
            let stop = bytes[start..<end].firstIndex { "/?".utf8.contains($0) } ?? end
            try parseAuthority(bytes, start..<stop)
            cursor = stop
        } else if scheme != nil {
            throw Problem(text: "the scheme is not followed by // and a host")
        }
        let mark = bytes[cursor..<max(cursor, end)].firstIndex(of: UInt8(ascii: "?"))
        path = cursor..<(mark ?? end)
        if let mark { query = (mark + 1)..<end }
    }

    private func checkCharacters(_ bytes: [UInt8]) throws(Problem) {
        if bytes.isEmpty { throw Problem(text: "it is empty") }
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "%"):
                let digits = bytes[(index + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy(Self.isHexDigit) else {
                    throw Problem(text: "a % is not followed by two hexadecimal digits")
                }
            case ...0x20, 0x7F...:
                throw Problem(
                    text: "it contains a blank, control or non-ASCII character; percent-encode it"
                )
            default:
                if "\"<>\\^`{|}".utf8.contains(byte) {
                    let character = Character(Unicode.Scalar(byte))
                    throw Problem(text: "it contains \(character), which must be percent-encoded")
                }
            }
        }
    }

    private mutating func parseAuthority(
        _ bytes: [UInt8],
        _ range: Range<Int>
    ) throws(Problem) {
        if bytes[range].contains(UInt8(ascii: "@")) {
            throw Problem(text: "it contains user information; use a credential instead")
        }
        var hostEnd = range.upperBound
        if bytes[range].first == UInt8(ascii: "[") {
            guard let bracket = bytes[range].firstIndex(of: UInt8(ascii: "]")),
                bytes[(range.lowerBound + 1)..<bracket].allSatisfy(Self.isAddressByte),
                bracket > range.lowerBound + 1
            else { throw Problem(text: "the IPv6 address is malformed") }
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes[range].firstIndex(of: UInt8(ascii: ":")) ?? range.upperBound
            guard bytes[range.lowerBound..<hostEnd].allSatisfy(Self.isHostByte) else {
                throw Problem(text: "the host contains a character that no host name has")
            }
        }
        host = range.lowerBound..<hostEnd
        guard hostEnd < range.upperBound else { return }
        let digits = bytes[(hostEnd + 1)..<range.upperBound]
        guard bytes[hostEnd] == UInt8(ascii: ":"), !digits.isEmpty, digits.count <= 5,
            let number = Int(String(decoding: digits, as: UTF8.self)), 0...65535 ~= number
        else { throw Problem(text: "the port is not a number from 0 to 65535") }
        port = number
    }

    private static func endOfScheme(_ bytes: [UInt8]) -> Int? {
        guard let first = bytes.first, isLetter(first) else { return nil }
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: ":") { return index }
            guard isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte) else { return nil }
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte)
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isHexDigit(byte) || ":.".utf8.contains(byte)
    }
}
