import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.UserAgent")
struct UserAgentTests {
    @Test("has its products in order, with the marks of comments escaped")
    func description() throws {
        let first = HTTP.UserAgent("Shop", version: "2.1", comment: #"a (b) \ "c""#)

        let agent = first.adding("Plugin").adding("Core", comment: "")

        expectEqual("\(first)", #"Shop/2.1 (a \(b\) \\ "c")"#)
        expectEqual("\(agent)", "\(first) Plugin Core ()")
        try agent.validate()
    }

    @Test("is refused for its first invalid text, which is shown escaped")
    func refusal() {
        let agent = HTTP.UserAgent("Shop", version: "2\r\n1", comment: "ü").adding("a b")

        let error = #expect(throws: HTTP.RequestError.self) { try agent.validate() }

        expectEqual(error?.code, .invalidField)
        expectEqual(error?.message.hasPrefix(#""2\r\n1" cannot name a product"#), true)
    }
}
