import Expectations
import Testing

@testable import InterceptorKit

@Suite("Characters of structured fields")
struct StructuredFieldCharactersTests {
    private static let lower = "abcdefghijklmnopqrstuvwxyz"
    private static let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let digits = "0123456789"

    private func bytes(_ isOfKind: (UInt8) -> Bool) -> Set<UInt8> {
        Set((UInt8.min...UInt8.max).filter(isOfKind))
    }

    // RFC 9651 sections 3.1.2 and 3.3.4; the marks of tokens are those of RFC 9110 section 5.6.2.
    @Test("begin and continue keys and tokens as the grammar says, and no others")
    func grammar() {
        let marks = "!#$%&'*+-.^_`|~"

        expectEqual(bytes(\.beginsKey), Set("\(Self.lower)*".utf8))
        expectEqual(bytes(\.continuesKey), Set("\(Self.lower)\(Self.digits)_-.*".utf8))
        expectEqual(bytes(\.beginsToken), Set("\(Self.lower)\(Self.upper)*".utf8))
        expectEqual(
            bytes(\.continuesToken),
            Set("\(Self.lower)\(Self.upper)\(Self.digits)\(marks):/".utf8)
        )
    }

    @Test("stand in strings if printable, quotes and backslashes only escaped")
    func strings() {
        expectEqual(bytes(\.isPrintable), Set(0x20...0x7e))
        expectEqual(bytes(\.isPlainInStrings), Set(0x20...0x7e).subtracting(#""\"#.utf8))
    }

    @Test("are hexadecimal digits in lower case alone")
    func hexadecimal() {
        let values = (UInt8.min...UInt8.max).compactMap(\.lowerCaseHexadecimalValue)

        expectEqual(values, Array(0..<16))
        expectEqual(bytes { $0.lowerCaseHexadecimalValue != nil }, Set("0123456789abcdef".utf8))
    }
}
