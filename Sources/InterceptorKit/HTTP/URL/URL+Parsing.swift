/// The places of a URL's parts in its text, in bytes (RFC 3986 section 3).
struct URLParts: Sendable {
    // Four bytes each, with -1 for a missing part, because each interceptor that changes a request copies them.
    private var schemeEnd: Int32 = -1
    private var hostStart: Int32 = -1
    private var hostEnd: Int32 = -1
    private var portNumber: Int32 = -1
    private var pathStart: Int32 = 0
    private var pathEnd: Int32 = 0
    private var queryEnd: Int32 = -1
    private(set) var problem: URLProblem?

    var scheme: Range<Int>? { schemeEnd < 0 ? nil : 0..<Int(schemeEnd) }
    var host: Range<Int>? { hostStart < 0 ? nil : Int(hostStart)..<Int(hostEnd) }
    var port: Int? { portNumber < 0 ? nil : Int(portNumber) }
    var path: Range<Int> { Int(pathStart)..<Int(pathEnd) }
    var query: Range<Int>? { queryEnd < 0 ? nil : Int(pathEnd) + 1..<Int(queryEnd) }

    init(_ text: String) {
        let bytes = Array(text.utf8)
        do throws(URLProblem) {
            guard bytes.count < Int32.max else { throw .tooLong }
            try parse(bytes)
        } catch {
            problem = error
        }
    }

    /// Creates the parts of text that is refused because of its values.
    init(problem: URLProblem) { self.problem = problem }

    private mutating func parse(_ bytes: [UInt8]) throws(URLProblem) {
        try checkCharacters(bytes)
        var cursor = 0
        if let colon = Self.endOfScheme(bytes) {
            schemeEnd = Int32(colon)
            cursor = colon + 1
        }
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        if bytes[cursor..<max(cursor, end)].starts(with: "//".utf8) {
            let start = cursor + 2
            let stop = bytes[start..<end].firstIndex(where: Self.endsAuthority) ?? end
            try parseAuthority(bytes, start..<stop)
            cursor = stop
        } else if scheme != nil {
            throw .noAuthority
        }
        let mark = bytes[cursor..<max(cursor, end)].firstIndex(of: UInt8(ascii: "?"))
        pathStart = Int32(cursor)
        pathEnd = Int32(mark ?? end)
        if mark != nil { queryEnd = Int32(end) }
    }

    private func checkCharacters(_ bytes: [UInt8]) throws(URLProblem) {
        if bytes.isEmpty { throw .empty }
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "%"):
                let digits = bytes[(index + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy(Self.isHexDigit) else {
                    throw .percent
                }
            case ...0x20, 0x7F...:
                throw .character
            case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
                UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
                UInt8(ascii: "}"):
                throw .reserved(byte)
            default:
                continue
            }
        }
    }

    private mutating func parseAuthority(
        _ bytes: [UInt8],
        _ range: Range<Int>
    ) throws(URLProblem) {
        if bytes[range].contains(UInt8(ascii: "@")) {
            throw .userInformation
        }
        var hostEnd = range.upperBound
        if bytes[range].first == UInt8(ascii: "[") {
            guard let bracket = bytes[range].firstIndex(of: UInt8(ascii: "]")),
                bytes[(range.lowerBound + 1)..<bracket].allSatisfy(Self.isAddressByte),
                HTTP.ConnectAddress.isIPv6(
                    String(decoding: bytes[(range.lowerBound + 1)..<bracket], as: UTF8.self)
                        .lowercased()
                )
            else { throw .address }
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes[range].firstIndex(of: UInt8(ascii: ":")) ?? range.upperBound
            let host = bytes[range.lowerBound..<hostEnd]
            guard host.allSatisfy(Self.isHostByte) else {
                throw host.contains(UInt8(ascii: "%")) ? .encodedHost : .host
            }
            guard !Self.endsInNumber(host) || Self.isIPv4Address(host) else {
                throw .numberedHost
            }
        }
        hostStart = Int32(range.lowerBound)
        self.hostEnd = Int32(hostEnd)
        guard hostEnd < range.upperBound else { return }
        let digits = bytes[(hostEnd + 1)..<range.upperBound]
        // An empty port is the default port of the scheme (RFC 9110 section 4.2.3).
        if bytes[hostEnd] == UInt8(ascii: ":"), digits.isEmpty { return }
        guard bytes[hostEnd] == UInt8(ascii: ":"), digits.allSatisfy(Self.isDigit),
            let number = Int(String(decoding: digits, as: UTF8.self)), 0...65535 ~= number
        else { throw .port }
        portNumber = Int32(number)
    }

    private static func endOfScheme(_ bytes: [UInt8]) -> Int? {
        guard let first = bytes.first, isLetter(first) else { return nil }
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: ":") { return index }
            guard isLetter(byte) || isDigit(byte) || marksScheme(byte) else { return nil }
        }
        return nil
    }

    private static func marksScheme(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
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
        PercentEncoding.isUnreserved(byte)
    }

    /// Returns whether other programs may read a host as an IPv4 address because of its last label (WHATWG URL section
    /// 3.5): some read `127.1` as `127.0.0.1`, and `010` as eight.
    private static func endsInNumber(_ host: ArraySlice<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        let labels = host.last == dot ? host.dropLast() : host
        let start = labels.lastIndex(of: dot).map { $0 + 1 } ?? labels.startIndex
        let label = labels[start...]
        guard let first = label.first, isDigit(first) else { return false }
        if label.allSatisfy(isDigit) { return true }
        let isMarked = first == UInt8(ascii: "0") && label[start + 1] | 0x20 == UInt8(ascii: "x")
        return isMarked && label.dropFirst(2).allSatisfy(isHexDigit)
    }

    /// Returns whether a host is four numbers from 0 to 255 (RFC 3986 section 3.2.2).
    private static func isIPv4Address(_ host: ArraySlice<UInt8>) -> Bool {
        let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard 1...3 ~= part.count, part.allSatisfy(isDigit) else { return false }
                let number = part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
                return number < 256 && (part.count == 1 || part.first != UInt8(ascii: "0"))
            }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isHexDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }
}

/// A reason why text isn't a URL.
enum URLProblem: Error, Hashable {
    case empty
    case tooLong
    case percent
    case character
    case reserved(UInt8)
    case noAuthority
    case userInformation
    case address
    case host
    case numberedHost
    case encodedHost
    case internationalHost
    case noConverter
    case encodedBeginning
    case severalSegments
    case dots
    case port
}

extension URLProblem: CustomStringConvertible {
    var description: String {
        switch self {
        case .empty: "it is empty"
        case .tooLong: "it is longer than 2 GiB"
        case .percent: "a % is not followed by two hexadecimal digits"
        case .character:
            "it contains a blank, control or non-ASCII character; percent-encode it"
        case .reserved(let byte):
            "it contains \(Character(Unicode.Scalar(byte))), which must be percent-encoded"
        case .noAuthority: "the scheme is not followed by // and a host"
        case .userInformation: "it contains user information; use a credential instead"
        case .address: "the IPv6 address is malformed"
        case .host: "the host contains a character that no host name has"
        case .numberedHost:
            "the host ends with a number and is not an IPv4 address; write four numbers from 0 to 255 "
                + "without leading zeros, because programs read a single number differently"
        case .encodedHost:
            "the host has a percent-encoded character, as every value put into a URL is encoded; "
                + "put an HTTP.Origin there, or text marked raw: if nothing of it comes from outside"
        case .internationalHost:
            "the host is not an international name that can be resolved (UTS #46); write the name in "
                + "Punycode, as in xn--r8jz45g.jp, if there is such a host"
        case .noConverter:
            "the host has letters beyond ASCII, which Foundation converts, and this program does not link "
                + "Foundation; write the name in Punycode, as in xn--r8jz45g.jp, or import Foundation"
        case .encodedBeginning:
            "it begins with a value, which was percent-encoded and so is not an address; begin with an "
                + "HTTP.URL or HTTP.Origin as the base, with a / where a path is meant, or with text "
                + "marked raw: if nothing of it comes from outside"
        case .severalSegments:
            "a value behind an address of values has a /, ? or #, which was percent-encoded, as it is within one "
                + "segment; write HTTP.URL(string:) for text from a configuration, begin with an HTTP.URL or "
                + "HTTP.Origin as the base, or mark the value raw: if nothing of it comes from outside"
        case .dots:
            "a value in it is . or .., which leads to another path; refuse such a value where it comes from, or "
                + "mark it raw: if it is meant"
        case .port: "the port is not a number from 0 to 65535"
        }
    }
}
