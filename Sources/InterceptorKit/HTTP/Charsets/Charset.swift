#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoding of text as bytes.
enum Charset: Hashable {
    case utf8
    case utf16(isBigEndian: Bool)
    case windows1252
    /// One that the system reads, by its name for ``SystemIconv``.
    case system(String)

    /// A reason why bytes are not read as text.
    enum Failure: Error {
        /// The bytes are not text in the charset.
        case malformed
        /// Nothing on this system reads the charset.
        case unsupported
    }

    /// The charset of a byte order mark at the beginning (Encoding Standard, "BOM sniff"), and its length in bytes.
    static func mark(of bytes: Data) -> (charset: Charset, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
        return nil
    }

    /// Returns bytes as text.
    /// - Parameter repairing: Whether U+FFFD replaces what is not text in the charset.
    func text(of bytes: Data, repairing: Bool) throws(Failure) -> String {
        switch self {
        case .utf8:
            if repairing { return String(decoding: bytes, as: UTF8.self) }
            return try Self.whole(String(validating: bytes, as: UTF8.self))
        case .utf16(let isBigEndian):
            var units = Self.units(of: bytes, isBigEndian: isBigEndian)
            let isCut = !bytes.count.isMultiple(of: 2)
            if repairing {
                // A cut pair is one mistake, and its first half is replaced anyway.
                if isCut, units.last.map(UTF16.isLeadSurrogate) != true { units.append(0xFFFD) }
                return String(decoding: units, as: UTF16.self)
            }
            return try Self.whole(isCut ? nil : String(validating: units, as: UTF16.self))
        case .windows1252:
            return String(decoding: Self.encoded(windows1252: bytes), as: UTF8.self)
        case .system(let name):
            guard let iconv = SystemIconv.shared else { throw .unsupported }
            return try iconv.text(of: bytes, in: name, repairing: repairing)
        }
    }

    private static func whole(_ text: String?) throws(Failure) -> String {
        guard let text else { throw .malformed }
        return text
    }

    private static func units(of bytes: Data, isBigEndian: Bool) -> [UInt16] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2 + 1)
        var rest = Array(bytes).makeIterator()
        while let first = rest.next(), let second = rest.next() {
            let (high, low) = isBigEndian ? (first, second) : (second, first)
            units.append(UInt16(high) << 8 | UInt16(low))
        }
        return units
    }

    // In UTF-8, because a string of 16-bit units takes ten times as long.
    private static func encoded(windows1252 bytes: Data) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in Array(bytes) {
            if byte < 0x80 { text.append(byte) } else { text += upperHalf[Int(byte) - 0x80] }
        }
        return text
    }

    private static let upperHalf = (upperControls + Array(0xA0...0xFF)).map { unit in
        Array(String(decoding: [unit], as: UTF16.self).utf8)
    }

    // Encoding Standard, index windows-1252: bytes without a character are the controls of ISO-8859-1.
    private static let upperControls: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
}

extension Charset: CustomStringConvertible {
    var description: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16(let isBigEndian): isBigEndian ? "UTF-16BE" : "UTF-16LE"
        case .windows1252: "windows-1252"
        case .system(let name): name
        }
    }
}
