#if Tracing
import Expectations
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
            expectEqual(span.name, "GET")
            expectEqual(span.text("http.request.method"), "GET")
            expectEqual(span.attributes.get("http.request.method_original"), nil)
            expectEqual(span.text("url.full"), "https://api.example.com/orders/7?token=██")
            expectEqual(span.text("server.address"), "api.example.com")
            expectEqual(span.number("server.port"), 443)
            expectEqual(span.attributes.get("url.template"), nil)
        }
    }

    @Test("name spans by the call's URL template instead of the path")
    func template() async throws {
        let run = try await TracedRun.of([.status(200)]) { $0.urlTemplate = "/orders/{id}" }

        expectEqual(run.spans.map(\.name), ["GET /orders/{id}", "GET /orders/{id}"])
        expectEqual(run.spans.map { $0.text("url.template") }, ["/orders/{id}", "/orders/{id}"])
    }

    @Test("name the first URL's template, and none where a redirect leads")
    func templateOfRedirect() async throws {
        let tracer = RecordingTracer()
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(302, headers: ["Location": "https://[2001:db8::1]/files/7"]), .status(200),
        ])
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            RedirectInterceptor()
            AttemptTracingInterceptor(tracer: tracer)
        }

        _ = try await client.send(.get(order)) { $0.urlTemplate = "/orders/{id}" }

        expectEqual(tracer.spans.map(\.name), ["GET /orders/{id}", "GET"])
        expectEqual(tracer.spans.map { $0.text("url.template") }, ["/orders/{id}", nil])
        expectEqual(tracer.spans.last?.text("server.address"), "2001:db8::1")
    }

    @Test("record an unknown method as _OTHER", arguments: ["BREW", "get", "PROPFIND"])
    func unknownMethod(method: String) async throws {
        let run = try await TracedRun.of(
            [.status(200)],
            for: HTTP.Request(HTTP.Method(rawValue: method), order)
        )

        expectEqual(run.spans.map(\.name), ["HTTP", "HTTP"])
        expectEqual(run.spans.map { $0.text("http.request.method") }, ["_OTHER", "_OTHER"])
        expectEqual(run.spans.map { $0.text("http.request.method_original") }, [method, method])
    }
}
#endif
