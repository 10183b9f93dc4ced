import Expectations
import Foundation
import Testing

@testable import InterceptorKit

@Suite("SystemIconv")
struct SystemIconvTests {
    @Test("is nothing where no library has its functions")
    func absence() {
        expectTrue(SystemIconv(names: []) == nil)
        expectTrue(SystemIconv(names: ["libnosuchthing.so.9"]) == nil)
    }

    @Test("does not know each charset")
    func unknown() throws {
        let iconv = try unwrap(SystemIconv(names: ["libnosuchthing.so.9"] + SystemIconv.usualNames))

        #expect(throws: Charset.Failure.unsupported) {
            try iconv.text(of: Data([0x61]), in: "no-such-charset", repairing: true)
        }
        try expectEqual(iconv.text(of: Data([0xB1]), in: "ISO-8859-2", repairing: false), "ą")
    }
}
