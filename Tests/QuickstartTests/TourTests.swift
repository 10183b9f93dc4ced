import Expectations
import InterceptorKit
import InterceptorKitInspection
import TestRun
import Testing

@testable import Quickstart

@Suite("Quickstart", .tags(.sockets), .serializedAcrossSuites)
struct TourTests {
    @Test("meets every expectation with the whole chain", arguments: Engine.allCases)
    func whole(engine: Engine) async throws {
        do {
            try await Tour(on: engine).run { _ in }
        } catch let missing as EngineUnavailable {
            expectTrue(engine != .urlsession, "\(missing)")
        }
    }

    @Test("keeps all events of its calls for a page, without their token")
    func page() async throws {
        let page = Timeline()

        try await Tour(keeping: page).run { _ in }

        let html = page.html()
        for text in ["signature.added", "retry.scheduled", "credential.refresh_started"] {
            expectTrue(html.contains(text), "\(text)")
        }
        expectTrue(!html.contains("token-1"))
        expectEqual(page.dropped, 0)
    }

    @Test("accepts only an engine, an omission and a page on the command line")
    func options() {
        let options = Options(["--engine", "ahc", "--without", "RetryInterceptor"])

        expectEqual(options?.engine, .ahc)
        expectEqual(options?.removed, "RetryInterceptor")
        expectEqual(Options([])?.engine, .urlsession)
        expectEqual(Options(["--timeline", "calls.html"])?.timeline, "calls.html")
        expectTrue(Options(["--engine", "other"]) == nil)
        expectTrue(Options(["--without"]) == nil)
        expectTrue(Options(["--help", "me"]) == nil)
    }

    @Test(
        "fails an expectation when any one interceptor is removed",
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

        expectEqual(
            names,
            [
                "BaseURLInterceptor", "ErrorFilterInterceptor", "RetryInterceptor<Request>",
                "TokenInterceptor", "SignInterceptor",
            ]
        )
    }
}
