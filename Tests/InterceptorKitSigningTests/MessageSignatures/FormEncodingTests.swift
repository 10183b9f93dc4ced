import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("FormEncoding")
struct FormEncodingTests {
    @Test("keeps invalid percent-encoding as text, as forms do")
    func broken() {
        let parameters = FormEncoding.parameters(of: "a=100%&%b=%zz&c=%4".utf8)

        expectEqual(parameters.map(\.name), ["a", "%25b", "c"])
        expectEqual(parameters.map(\.value), ["100%25", "%25zz", "%254"])
    }

    @Test("keeps a sign after a percent sign in an RFC 9421 parameter")
    func messageParameters() {
        let parameters = FormEncoding.parameters(of: "a=%-0&b=%+1".utf8)

        expectEqual(parameters.map(\.value), ["%25-0", "%25%201"])
    }

    @Test("keeps what forms keep, and writes a blank and every other byte out")
    func encoded() {
        expectEqual(FormEncoding.encoded("aZ09*-._".utf8), "aZ09*-._")
        expectEqual(FormEncoding.encoded(" +~/é".utf8), "%20%2B%7E%2F%C3%A9")
        expectEqual(FormEncoding.encoded([0, 0x0F, 0xFF]), "%00%0F%FF")
    }
}
