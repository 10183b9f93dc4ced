import Expectations
import Testing

@testable import InterceptorKit

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    private let bytes: [UInt8] = [0x00, 0x09, 0x0a, 0x9f, 0xf0, 0xff]

    @Test("are two in lower case for each byte, contiguous or not")
    func writing() {
        expectEqual(bytes.hexadecimal, "00090a9ff0ff")
        expectEqual(bytes.reversed().hexadecimal, "fff09f0a0900")
        expectEqual(bytes.dropFirst(4).hexadecimal, "f0ff")
        expectEqual([UInt8]().hexadecimal, "")
    }

    @Test("are read back as the bytes they stand for")
    func reading() {
        let all = Array(UInt8.min...UInt8.max)

        expectEqual([UInt8](hexadecimal: all.hexadecimal.utf8), all)
        expectEqual([UInt8](hexadecimal: "".utf8), [])
    }

    @Test(
        "are refused in upper case, alone, or among other characters",
        arguments: ["0", "000", "0A", "0g", "0/", "0:", "0`", "-1", "+1", " 1", "0x", "é"]
    )
    func refused(text: String) {
        expectEqual([UInt8](hexadecimal: text.utf8), nil)
    }
}
