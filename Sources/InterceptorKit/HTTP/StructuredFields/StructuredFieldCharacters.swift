// The characters and their classes in RFC 9651.
extension UInt8 {
    static var tab: UInt8 { 0x09 }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { UInt8(ascii: "\"") }
    static var backslash: UInt8 { UInt8(ascii: "\\") }
    static var percent: UInt8 { UInt8(ascii: "%") }

    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    var isPrintable: Bool { 0x20...0x7e ~= self }

    /// Whether the character needs no backslash in a string.
    var isPlainInStrings: Bool { isPrintable && self != .quote && self != .backslash }

    private var isLowerCase: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
    private var isLetter: Bool { isLowerCase || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }

    var beginsKey: Bool { isLowerCase || self == UInt8(ascii: "*") }

    var continuesKey: Bool {
        switch self {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"): true
        default: isLowerCase || isDigit
        }
    }

    var beginsToken: Bool { isLetter || self == UInt8(ascii: "*") }

    var continuesToken: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"), UInt8(ascii: ":"),
            UInt8(ascii: "/"):
            true
        default:
            isLetter || isDigit
        }
    }

    var lowerCaseHexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
