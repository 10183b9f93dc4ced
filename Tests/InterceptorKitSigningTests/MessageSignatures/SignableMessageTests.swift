import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("SignableMessage")
struct SignableMessageTests: ComponentSuite {
    @Test("has what can be written, and of a request only what is known")
    func presence() {
        var response = HTTP.Response(200, headers: ["X-Own": ""])
        let alone = SignableMessage.response(response)
        response.request = .get("https://h.example/?a=1&b=1&b=2", headers: ["X-Asked": "1"])
        let answering = SignableMessage.response(response)
        let asked = MessageComponent.field("x-asked")

        expectTrue(alone.has("x-own") && answering.has("x-own"))
        expectTrue(!alone.has(asked.ofRequest) && answering.has(asked.ofRequest))
        expectTrue(!answering.has(asked))
        expectTrue(!alone.has(.method.ofRequest) && answering.has(.method.ofRequest))
        expectTrue(answering.has(.queryParameter("a").ofRequest))
        expectTrue(!answering.has(.queryParameter("b").ofRequest))
        expectTrue(!answering.has(.method))
    }
}
