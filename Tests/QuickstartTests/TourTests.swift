import InterceptorKit
import Testing

@testable import Quickstart

@Suite("Quickstart")
struct TourTests {
    @Test("meets every expectation with the whole chain")
    func whole() async throws {
        try await Tour().run { _ in }
    }

    @Test(
        "breaks an expectation without any one of its interceptors",
        arguments: [
            "BaseURLInterceptor", "ErrorFilterInterceptor", "RetryInterceptor", "TokenInterceptor",
            "SignInterceptor",
        ]
    )
    func partial(removed: String) async {
        await #expect(throws: (any Error).self) { try await Tour(without: removed).run { _ in } }
    }

    @Test("covers every interceptor of the chain")
    func complete() {
        let names = shopInterceptors(
            shop: "http://127.0.0.1",
            tokens: ShopTokens(client: ClientReference()),
            secret: "s"
        ).map { "\(type(of: $0))" }

        #expect(
            names == [
                "BaseURLInterceptor", "ErrorFilterInterceptor", "RetryInterceptor<Request>",
                "TokenInterceptor", "SignInterceptor",
            ]
        )
    }
}
