#if Hummingbird
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitTesting
import TestRun
import Testing

@Suite("ChainMiddleware", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(2)))
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
                    request.url = HTTP.URL(request.url.text + "&more=1")
                }
            }
        }

        let status = try await app.test(.router) { client in
            try await client.execute(uri: "/orders/7?all=1", method: .post).status
        }

        #expect(status == .ok)
        #expect(seen.entries.map(\.url.text) == ["http://localhost/orders/7?all=1"])
        #expect(seen.entries.map(\.method) == [.post])
        #expect(handled.entries == ["POST /orders/7?all=1&more=1 text/plain"])
    }

    @Test("sends the caller the response as interceptors changed it", arguments: [true, false])
    func response(keepsContent: Bool) async throws {
        let app = try application { _, _ in
            Response(status: .created, body: ResponseBody(byteBuffer: ByteBuffer(string: "seven")))
        } behind: {
            through { chain in
                var response = try await chain.proceed()
                response.headers["X-Seen"] = "\(response.status.code)"
                if !keepsContent { response.body = "seventy-seven" }
                return response
            }
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .get)

            #expect(response.status == .created)
            #expect(response.headers[HTTPField.Name("X-Seen")!] == "201")
            #expect(String(buffer: response.body) == (keepsContent ? "seven" : "seventy-seven"))
            #expect(response.headers[.contentLength] == (keepsContent ? "5" : "13"))
        }
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

            #expect(response.status.code == 418)
            #expect(String(buffer: response.body) == "short")
        }
        #expect(handled.entries.isEmpty)
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

        let (explicit, current) = try #require(found.entries.first)
        #expect(explicit?.id != nil)
        #expect(explicit?.id == current?.id)
        #expect(explicit?.traceContext?.traceID == "0af7651916cd43dd8448eb211c80319c")
        #expect(explicit?.remaining.map { .zero < $0 && $0 <= .seconds(5) } == true)
        #expect(Call.served == nil)
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
                call.onBehalfOf = context.serving.call
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
        #expect(fields.count == 2)
        #expect(fields.allSatisfy { $0["X-Time"].flatMap { Int($0) }.map { $0 <= 4000 } == true })
        #expect(
            fields.allSatisfy {
                $0["traceparent"]?.hasPrefix("00-0af7651916cd43dd8448eb211c80319c-") == true
            }
        )
    }

    @Test("shows interceptors the public origin when a proxy is in front")
    func origin() async throws {
        let seen = Notes<String>()
        let handled = Notes<String?>()
        let app = try application(origin: "https://api.example.com") { request, _ in
            handled.note(request.head.authority)
            return Response(status: .ok)
        } behind: {
            through { chain in
                seen.note(chain.input.url.text)
                return try await chain.proceed()
            }
        }

        try await app.test(.router) { client in
            _ = try await client.execute(uri: "/a?b=c", method: .get)
        }

        #expect(seen.entries == ["https://api.example.com/a?b=c"])
        #expect(handled.entries == ["localhost"])
    }

    @Test(
        "refuses a target that forms no URL before it calls the handler",
        arguments: ["*", "/a b", "/a#b"]
    )
    func unreadable(target: String) async throws {
        let handled = Notes<Void>()
        let app = try application { _, _ in
            handled.note(())
            return Response(status: .ok)
        }

        let status = try await app.test(.router) { client in
            try await client.execute(uri: target, method: .get).status
        }

        #expect(status == .badRequest || status == .ok && target == "/a b")
        #expect(handled.entries.isEmpty == (status == .badRequest))
    }

    @Test("calls the handler again when a chain proceeds in sequence")
    func again() async throws {
        let statuses = Notes<Int>()
        let app = try application { _, context in
            statuses.note(context.serving.call?.attempt ?? 0)
            return Response(status: statuses.entries.count < 3 ? .serviceUnavailable : .ok)
        } behind: {
            through { chain in
                for number in 1...2 {
                    let response = try await chain.proceed(
                        chain.input,
                        call: chain.call.attempt(number)
                    )
                    if response.status.isSuccess { return response }
                }
                return try await chain.proceed(chain.input, call: chain.call.attempt(3))
            }
        }

        let status = try await app.test(.router) { client in
            try await client.execute(uri: "/", method: .get).status
        }

        #expect(status == .ok)
        #expect(statuses.entries == [1, 2, 3])
    }

    @Test("refuses to proceed concurrently or after the response")
    func misuse() async throws {
        let late = Notes<InterceptorChain<HTTP.Request>>()
        let errors = Notes<String>()
        let app = try application { _, _ in
            await errors.wait()
            return Response(status: .ok)
        } behind: {
            through { chain in
                late.note(chain)
                return try await withThrowingTaskGroup(of: HTTP.Response?.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            do {
                                return try await chain.proceed()
                            } catch {
                                errors.note("\(error)")
                                return nil
                            }
                        }
                    }
                    var response: HTTP.Response?
                    for try await found in group { response = found ?? response }
                    return response ?? HTTP.Response(500)
                }
            }
        }

        let status = try await app.test(.router) { client in
            try await client.execute(uri: "/", method: .get).status
        }
        let chain = try #require(late.entries.first)
        do {
            _ = try await chain.proceed()
        } catch {
            errors.note("\(error)")
        }

        #expect(status == .ok)
        #expect(errors.entries.count == 2)
        #expect(errors.entries.first?.contains("side by side") == true)
        #expect(errors.entries.last?.contains("after the request was answered") == true)
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
        #expect(names.contains { $0.contains("CallerDeadlineInterceptor") })
    }
}
#endif
