#if Hummingbird
import Expectations
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitTesting
import TestRun
import Testing

@Suite("ChainMiddleware", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct ChainMiddlewareTests {
    @Test("shows interceptors the received request, and handlers the changed one")
    func request() async throws {
        let seen = Notes<HTTP.Request>()
        let handled = Notes<String>()
        let app = try application { request, _ in
            handled.note("\(request.method) \(request.uri) \(request.headers[.accept] ?? "")")
            return Response(status: .ok)
        } behind: {
            through { chain in
                seen.note(chain.input)
                return try await chain.proceed { request in
                    request.headers["Accept"] = "text/plain"
                    request.url = HTTP.URL(unvalidated: request.url.text + "&more=1")
                }
            }
        }

        let status = try await app.test(.router) { client in
            try await client.execute(uri: "/orders/7?all=1", method: .post).status
        }

        expectEqual(status, .ok)
        expectEqual(seen.entries.map(\.url.text), ["http://localhost/orders/7?all=1"])
        expectEqual(seen.entries.map(\.method), [.post])
        expectEqual(handled.entries, ["POST /orders/7?all=1&more=1 text/plain"])
    }

    @Test("does not call the handler when an interceptor responds")
    func shortCircuit() async throws {
        let handled = Notes<Void>()
        let app = try application { _, _ in
            handled.note(())
            return Response(status: .ok)
        } behind: {
            through { _ in HTTP.Response(418, body: "short") }
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .get)

            expectEqual(response.status.code, 418)
            expectEqual(String(buffer: response.body), "short")
        }
        expectTrue(handled.entries.isEmpty)
    }

    @Test("passes the call to handlers in the context and as a task local")
    func call() async throws {
        let found = Notes<(Call?, Call?)>()
        let app = try application { _, context in
            found.note((context.serving.call, Call.served))
            return Response(status: .ok)
        } behind: {
            CallerDeadlineInterceptor(.milliseconds("X-Time"), atMost: .seconds(60))
        }
        let headers: HTTPFields = [
            HTTPField.Name("X-Time")!: "5000",
            HTTPField.Name("traceparent")!:
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ]

        try await app.test(.router) { client in
            _ = try await client.execute(uri: "/", method: .get, headers: headers)
        }

        let (explicit, current) = try unwrap(found.entries.first)
        expectTrue(explicit?.id != nil)
        expectEqual(explicit?.id, current?.id)
        expectEqual(explicit?.traceContext?.traceID, "0af7651916cd43dd8448eb211c80319c")
        expectEqual(explicit?.remaining.map { .zero < $0 && $0 <= .seconds(5) }, true)
        expectTrue(Call.served == nil)
    }

    @Test("makes the sends of clients in handlers part of the call")
    func clients() async throws {
        let upstream = ScriptedTransport<HTTP.Request>(replies: [.status(200), .status(200)])
        let prices = try HTTP.Client(transport: upstream, timeout: .seconds(30)) {
            ServedCallInterceptor()
            DeadlineFieldInterceptor(.milliseconds("X-Time"))
            TraceContextInterceptor()
        }
        let app = try application { _, context in
            _ = try await prices.send(.get("https://prices.example.com/"))
            _ = try await prices.send(.get("https://prices.example.com/")) { call in
                call.parentCall = context.serving.call
            }
            return Response(status: .ok)
        } behind: {
            CallerDeadlineInterceptor(.milliseconds("X-Time"))
        }
        let headers: HTTPFields = [
            HTTPField.Name("X-Time")!: "4000",
            HTTPField.Name("traceparent")!:
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ]

        try await app.test(.router) { client in
            _ = try await client.execute(uri: "/", method: .get, headers: headers)
        }

        let fields = upstream.sent.map(\.input.headers)
        expectEqual(fields.count, 2)
        expectTrue(
            fields.allSatisfy { $0["X-Time"].flatMap { Int($0) }.map { $0 <= 4000 } == true }
        )
        expectTrue(
            fields.allSatisfy {
                $0["traceparent"]?.hasPrefix("00-0af7651916cd43dd8448eb211c80319c-") == true
            }
        )
    }

    @Test("emits events for the calls it serves")
    func events() async throws {
        let sink = RecordingEventSink()
        let app = try application(events: sink, answering: fine) {
            CallerDeadlineInterceptor(.milliseconds("X-Time"))
        }

        try await app.test(.router) { client in
            _ = try await client.execute(uri: "/", method: .get)
        }

        let names = sink.events.compactMap { $0.activity?.name }
        expectTrue(names.contains { $0.contains("CallerDeadlineInterceptor") })
    }
}
#endif
