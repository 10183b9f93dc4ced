import Expectations
import Testing

@testable import InterceptorKitLoopback

@Suite("ChunkSize")
struct ChunkSizeTests {
    @Test(
        "reads hexadecimal digits up to a blank or an extension",
        arguments: [
            ("0", 0), ("00a", 10), ("FfF", 4095), ("1f;name=\"2\"", 31), ("a ;b", 10), ("a\t", 10),
            ("7fffffffffffffff", .max),
        ]
    )
    func reads(text: String, size: Int) throws {
        try expectEqual(ChunkSize.parse(Array("\(text)\r\n".utf8)), size)
    }

    @Test(
        "refuses what is no number, too large, or has a sign or a bare line end",
        arguments: [
            "\r\n", " 1\r\n", ";a\r\n", "xyz\r\n", "0x1\r\n", "+1\r\n", "-1\r\n", "1_0\r\n", "1\n",
            "1\r", "8000000000000000\r\n",
        ]
    )
    func refuses(line: String) {
        #expect(throws: RequestRefusal.self) { try ChunkSize.parse(Array(line.utf8)) }
    }
}
