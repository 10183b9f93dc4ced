import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("StandardSettings for HTTP")
struct HTTPStandardSettingsTests {
    @Test("judges a server's health by status, a refusal apart from a failure")
    func health() async {
        let settings = StandardSettings<HTTP.Request>()
        func kind(_ status: HTTP.Status) async -> Classification.Kind {
            let outcome = Outcome<HTTP.Request>(
                input: .get(orders),
                result: .success(HTTP.Response(status)),
                call: Call()
            )
            return await settings.health.classify(outcome).kind
        }

        await expectEqual(kind(200), .success)
        await expectEqual(kind(404), .permanent)
        await expectEqual(kind(503), .transient)
    }
}
