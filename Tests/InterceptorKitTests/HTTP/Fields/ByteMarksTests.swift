import Expectations
import Testing

@testable import InterceptorKit

@Suite("ByteMarks")
struct ByteMarksTests {
    @Test("marks every byte of its kind, and no other, wherever it stands")
    func kinds() {
        let kinds: [(String, (UInt64) -> UInt64, (UInt8) -> Bool)] = [
            ("control", ByteMarks.controls, { $0 < 0x20 || $0 == 0x7F }),
            ("not ASCII", ByteMarks.nonASCII, { $0 > 0x7F }),
            ("0xEE", { ByteMarks.equal(to: 0xEE, $0) }, { $0 == 0xEE }),
        ]
        var wrong: [String] = []
        for (name, test, isMarked) in kinds {
            for byte in UInt8.min...UInt8.max {
                for count in [1, 7, 8, 9, 17] {
                    for place in 0..<count {
                        var bytes = [UInt8](repeating: UInt8(ascii: "~"), count: count)
                        bytes[place] = byte
                        let marks = unsafe bytes.withUnsafeBytes {
                            unsafe ByteMarks.mayMark($0, test)
                        }
                        if marks != isMarked(byte) { wrong.append("\(name), \(byte): \(place)") }
                    }
                }
            }
        }
        expectEqual(wrong, [])
    }

    @Test("finds a byte in text, even the one that fills short text")
    func text() {
        for byte in UInt8(0)...0x7F {
            for count in [0, 3, 8, 20] {
                let rest = String(repeating: byte == 0x62 ? "c" : "b", count: count)
                let text = rest + String(Unicode.Scalar(byte)) + rest

                expectTrue(ByteMarks.holds(byte, text) && !ByteMarks.holds(byte, rest))
            }
        }
    }

    @Test("leaves nothing out of a token's bytes (RFC 9110 section 5.6.2)")
    func tokens() {
        let marks = "!#$%&'*+-.^_`|~".utf8
        for byte in UInt8.min...UInt8.max {
            let scalar = Unicode.Scalar(byte)
            let isLetterOrDigit =
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))

            expectEqual(HTTP.FieldSyntax.isTokenByte(byte), isLetterOrDigit || marks.contains(byte))
        }
    }
}
