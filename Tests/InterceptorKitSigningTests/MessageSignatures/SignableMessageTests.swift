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

        #expect(alone.has("x-own") && answering.has("x-own"))
        #expect(!alone.has(asked.ofRequest) && answering.has(asked.ofRequest))
        #expect(!answering.has(asked))
        #expect(!alone.has(.method.ofRequest) && answering.has(.method.ofRequest))
        #expect(answering.has(.queryParameter("a").ofRequest))
        #expect(!answering.has(.queryParameter("b").ofRequest))
        #expect(!answering.has(.method))
    }
}
