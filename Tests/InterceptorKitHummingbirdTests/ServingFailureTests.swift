#if Hummingbird
import Expectations
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitSigning
import InterceptorKitTesting
import TestRun
import Testing

@Suite("ChainMiddleware on a failure", .tags(.sockets), .serializedAcrossSuites)
struct ServingFailureTests {
    @Test("responds with 504 when the caller's deadline has passed", arguments: ["0", "20"])
    func timedOut(said: String) async throws {
        let cancelled = Notes<Bool>()
        let app = try application { _, context in
            do {
                try await Gate().pass()
            } catch {
                cancelled.note(Task.isCancelled)
                throw error
            }
            return Response(status: .ok)
        } behind: {
            CallerDeadlineInterceptor(.milliseconds("X-Time"))
            TimeoutInterceptor(total: .seconds(30))
        }

        try await app.test(.router) { client in
            let response = try await client.execute(
                uri: "/",
                method: .get,
                headers: [HTTPField.Name("X-Time")!: said]
            )

            expectEqual(response.status, .gatewayTimeout)
            expectEqual(response.headers[.contentType], "application/problem+json")
        }
        expectEqual(cancelled.entries, (said == "0" ? [] : [true]))
    }

    @Test("responds with 503 when the concurrency limit is reached")
    func shed() async throws {
        let gate = Gate()
        let app = try application { _, _ in
            try await gate.pass()
            return Response(status: .ok)
        } behind: {
            ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 2))
        }

        try await app.test(.live) { client in
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<2 {
                    group.addTask { try await statusOfRequest(to: client.port) }
                }
                try await gate.waitForArrivals(2)
                let third = try await statusOfRequest(to: client.port)
                gate.open()

                expectEqual(third, .serviceUnavailable)
                for try await status in group { expectEqual(status, .ok) }
            }
        }
    }

    @Test("responds with 429 and Retry-After when the rate limit is exceeded")
    func tooFast() async throws {
        let policy = RateLimitPolicy(calls: 1, per: .seconds(3600))
        let app = try application(answering: fine) {
            TimeoutInterceptor(total: .seconds(30))
            RateLimitInterceptor(policy: policy)
        }

        try await app.test(.router) { client in
            let first = try await client.execute(uri: "/", method: .get)
            let second = try await client.execute(uri: "/", method: .get)

            expectEqual(first.status, .ok)
            expectEqual(second.status, .tooManyRequests)
            let wait = second.headers[.retryAfter].flatMap { Int($0) }
            expectEqual(wait.map { 3500...3600 ~= $0 }, true)
        }
    }

    @Test("responds with 503, not 429, when a client's own limit is exceeded")
    func limitOfAnother() async throws {
        let policy = RateLimitPolicy(calls: 1, per: .seconds(3600))
        let upstream = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let prices = try HTTP.Client(transport: upstream) { RateLimitInterceptor(policy: policy) }
        let app = try application { _, _ in
            _ = try await prices.send(.get("https://prices.example.com/"))
            return Response(status: .ok)
        }

        try await app.test(.router) { client in
            _ = try await client.execute(uri: "/", method: .get)
            let second = try await client.execute(uri: "/", method: .get)

            expectEqual(second.status, .serviceUnavailable)
            expectTrue(!String(buffer: second.body).contains("prices"))
        }
    }

    @Test("responds with 502 when another service cannot be reached")
    func unreachable() async throws {
        let app = try application { _, _ in
            throw TransportError(.cannotConnect, "No connection to 10.0.0.7:5432.")
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .get)

            expectEqual(response.status, .badGateway)
            expectTrue(!String(buffer: response.body).contains("10.0.0.7"))
        }
    }

    @Test("passes on an overload of another service, unless told not to", arguments: [true, false])
    func overload(isPassed: Bool) async throws {
        let upstream = ScriptedTransport<HTTP.Request>(replies: [
            .status(429, headers: ["Retry-After": "7"])
        ])
        let prices = try HTTP.Client(transport: upstream) { ErrorFilterInterceptor() }
        let app = try application(passesOverload: isPassed) { _, _ in
            _ = try await prices.send(.get("https://prices.example.com/"))
            return Response(status: .ok)
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .get)

            expectEqual(response.status, isPassed ? .serviceUnavailable : .badGateway)
            expectEqual(response.headers[.retryAfter], isPassed ? "7" : nil)
        }
    }

    @Test("shows interceptors a handler's HTTPError as a response")
    func handlerError() async throws {
        let seen = Notes<HTTP.Status>()
        let app = try application { _, _ in
            throw HTTPError(.conflict, message: "There is one already.")
        } behind: {
            through { chain in
                let response = try await chain.proceed()
                seen.note(response.status)
                return response
            }
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .get)

            expectEqual(response.status, .conflict)
            expectTrue(String(buffer: response.body).contains("There is one already."))
        }
        expectEqual(seen.entries, [409])
    }

    @Test("responds with an empty 500 when the handler's error is unknown")
    func unknown() async throws {
        let app = try application { _, _ in throw Defect(text: "a secret") }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .get)

            expectEqual(response.status, .internalServerError)
            expectEqual(response.body.readableBytes, 0)
        }
    }

    @Test("serves a signed request and refuses an unsigned one")
    func signed() async throws {
        let key = SigningKey(id: "app-1", secret: "s3cret".utf8)
        let app = try application(origin: "https://api.example.com") { request, context in
            let content = try await request.body.collect(upTo: 1024)
            let signer = context.principal?.subject ?? "nobody"
            let text = "\(signer) \(String(buffer: content))"
            return Response(
                status: .ok,
                body: ResponseBody(byteBuffer: ByteBuffer(string: text))
            )
        } behind: {
            VerifyInterceptor(.hmac(HMACScheme(), keys: FixedSigningKeys([key])))
        }
        let capture = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let signer = try HTTP.Client(transport: capture) {
            SignInterceptor(RequestSigner(HMACScheme(), key: key))
        }
        _ = try await signer.send(.post("https://api.example.com/orders", body: "eggs"))
        let signature = try unwrap(capture.sent.first?.input.headers["X-Signature"])

        try await app.test(.router) { client in
            let unsigned = try await client.execute(
                uri: "/orders",
                method: .post,
                body: ByteBuffer(string: "eggs")
            )
            let signed = try await client.execute(
                uri: "/orders",
                method: .post,
                headers: [
                    HTTPField.Name("X-Signature")!: signature,
                    .contentType: "text/plain; charset=utf-8",
                ],
                body: ByteBuffer(string: "eggs")
            )

            expectEqual(unsigned.status, .unauthorized)
            expectEqual(unsigned.headers[.wwwAuthenticate], "HMAC-SHA256")
            expectEqual(signed.status, .ok)
            expectEqual(String(buffer: signed.body), "app-1 eggs")
        }
    }
}

private struct Defect: Error {
    var text: String
}
#endif
