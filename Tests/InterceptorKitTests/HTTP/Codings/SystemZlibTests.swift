import Expectations
import Testing

@testable import InterceptorKit

@Suite("SystemZlib")
struct SystemZlibTests {
    @Test("is nothing where no library has its functions")
    func absence() {
        expectTrue(SystemZlib(names: []) == nil)
        expectTrue(SystemZlib(names: ["libnosuchthing.so.9"]) == nil)
    }

    @Test("is the first library that has all it needs")
    func choice() throws {
        let others = ["libnosuchthing.so.9", "libm.so.6"]

        let zlib = try unwrap(SystemZlib(names: others + SystemZlib.usualNames))

        // The check value of CRC-32.
        let digits = Array("123456789".utf8)
        let checksum = unsafe digits.withUnsafeBytes { bytes in
            unsafe zlib.checksum(0, bytes.baseAddress, 9)
        }
        expectEqual(checksum, 0xCBF4_3926)
        expectTrue(zlib.version != 0)
    }
}
