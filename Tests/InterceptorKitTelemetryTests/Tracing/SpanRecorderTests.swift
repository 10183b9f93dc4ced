#if Tracing
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Testing
import Tracing

@Suite("Spans that are recorded")
struct SpanRecorderTests {
    @Test("record where a request goes, without its secrets")
    func attributes() async throws {
        let run = try await TracedRun.of([.status(204)])

        for span in run.spans {
            #expect(span.name == "GET")
            #expect(span.text("http.request.method") == "GET")
            #expect(span.attributes.get("http.request.method_original") == nil)
            #expect(span.text("url.full") == "https://api.example.com/orders/7?token=██")
            #expect(span.text("server.address") == "api.example.com")
            #expect(span.number("server.port") == 443)
            #expect(span.attributes.get("url.template") == nil)
        }
    }

    @Test("name spans by the call's URL template instead of the path")
    func template() async throws {
        let run = try await TracedRun.of([.status(200)]) { $0.urlTemplate = "/orders/{id}" }

        #expect(run.spans.map(\.name) == ["GET /orders/{id}", "GET /orders/{id}"])
        #expect(run.spans.map { $0.text("url.template") } == ["/orders/{id}", "/orders/{id}"])
    }

    @Test("record an unknown method as _OTHER", arguments: ["BREW", "get", "PROPFIND"])
    func unknownMethod(method: String) async throws {
        let run = try await TracedRun.of(
            [.status(200)],
            for: HTTP.Request(HTTP.Method(rawValue: method), order)
        )

        #expect(run.spans.map(\.name) == ["HTTP", "HTTP"])
        #expect(run.spans.map { $0.text("http.request.method") } == ["_OTHER", "_OTHER"])
        #expect(run.spans.map { $0.text("http.request.method_original") } == [method, method])
    }
}
#endif
