import InterceptorKit
import TestSupport
import Testing

@Suite("OutcomeClassifier.health")
struct OutcomeHealthTests {
    @Test("judges a response a success exactly if it recognises it", arguments: 100..<600)
    func health(status: Int) async {
        let health = OutcomeClassifier<HTTP.Request>.health
        let response = HTTP.Response(HTTP.Status(status))
        let outcome = Outcome<HTTP.Request>(
            input: .get(orders),
            result: .success(response),
            call: Call()
        )

        let classification = await health.classify(outcome)

        #expect((classification.kind == .success) == (status < 400))
        #expect(health.recognises(response) == (status < 400))
    }
}
