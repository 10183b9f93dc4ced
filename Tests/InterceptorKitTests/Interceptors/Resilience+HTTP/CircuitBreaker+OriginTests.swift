import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("CircuitBreaker by origin")
struct CircuitBreakerOriginTests {
    @Test(
        "isolates and resets an origin in any spelling",
        arguments: ["http://h:1", "http://h:1/", "HTTP://H:1"] as [HTTP.Origin]
    )
    func spellings(origin: HTTP.Origin) async throws {
        let breaker = CircuitBreaker()
        let client = try HTTP.Client(
            [CircuitBreakerInterceptor(breaker)],
            transport: ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        )

        try breaker.isolate(origin)
        expectEqual(breaker.status(of: origin).state, .isolated)
        await #expect(throws: CircuitBreakerError.self) {
            try await client.send(.get("http://h:1/a"))
        }
        try breaker.reset(origin)

        try await expectEqual(client.send(.get("http://h:1/a")).status, 200)
    }

    @Test("refuses a text that is no origin", arguments: ["h:1", "", "http://h:1/a"])
    func refused(text: String) {
        let breaker = CircuitBreaker()

        let isolation = #expect(throws: HTTP.RequestError.self) {
            try breaker.isolate(HTTP.Origin(text))
        }
        #expect(throws: HTTP.RequestError.self) { try breaker.reset(HTTP.Origin(text)) }

        expectEqual(isolation?.code, .invalidURL)
        expectEqual(breaker.authorities, [])
    }

    @Test("takes a literal for an origin")
    func literal() {
        #expect(throws: HTTP.RequestError.self) { try CircuitBreaker().isolate("h:1") }
    }
}
