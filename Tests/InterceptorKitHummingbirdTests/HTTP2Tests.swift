#if Hummingbird
import Expectations
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTesting
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitHummingbird
import InterceptorKitSigning
import InterceptorKitTesting
import TestRun
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(
    "ChainMiddleware over HTTP/2",
    .tags(.sockets),
    .serializedAcrossSuites,
    .enabled("openssl (/usr/bin/openssl) is not installed") { Certificate.canBeMade },
    .timeLimit(.minutes(10))
)
struct HTTP2Tests {
    private let certificate: Certificate
    private let server: HTTPServerBuilder

    init() async throws {
        certificate = try await Certificate()
        server = try .http2Upgrade(
            tlsConfiguration: .makeServerConfiguration(
                certificateChain: certificate.chain,
                privateKey: certificate.key
            )
        )
    }

    @Test("shows interceptors the request's URL with its scheme")
    func scheme() async throws {
        let seen = Notes<HTTP.URL>()
        let app = try application(over: server, answering: fine) {
            through { chain in
                seen.note(chain.input.url)
                return try await chain.proceed()
            }
        }

        try await app.test(.live) { client in
            let url = self.url(client) + "orders?all=1"
            let response = try await transport().send(.get(url), call: Call())

            expectEqual(response.status, 200)
            expectEqual(seen.entries, [url])
        }
    }

    @Test("passes concurrent bodies whole both ways on one connection")
    func bodies() async throws {
        let app = try application(over: server) { request, _ in
            Response(status: .ok, body: ResponseBody(asyncSequence: request.body))
        } behind: {
            through { chain in
                var response = try await chain.proceed { request in
                    request.headers["X-Length"] = "\(request.body.length ?? 0)"
                }
                response.headers["X-Seen"] = "yes"
                return response
            }
        }
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })

        try await app.test(.live) { client in
            let (carrier, url) = (try transport(), self.url(client))
            try await withThrowingTaskGroup(of: Data.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let request = HTTP.Request.post(url, body: .bytes(content))
                        let response = try await carrier.send(request, call: Call())
                        expectEqual(response.headers["X-Seen"], "yes")
                        return try await response.body.collect()
                    }
                }
                for try await received in group { expectEqual(received, content) }
            }
        }
    }

    @Test("shows interceptors content that no field announces", arguments: methodsWithoutContent)
    func unannouncedContent(method: HTTP.Method) async throws {
        let seen = Notes<String>()
        let app = try application(over: server) { request, _ in
            seen.note("handler \(String(buffer: try await request.body.collect(upTo: 100)))")
            return Response(status: .ok)
        } behind: {
            through { chain in
                seen.note("chain \(try await chain.input.body.peek(upTo: 4) == Data("four".utf8))")
                return try await chain.proceed()
            }
        }

        try await app.test(.live) { client in
            let response = try await transport().send(unannounced(method, client), call: Call())

            expectEqual(response.status, 200)
        }
        expectEqual(seen.entries, ["chain true", "handler four"])
    }

    @Test("limits content that no field announces", arguments: methodsWithoutContent)
    func unannouncedLimit(method: HTTP.Method) async throws {
        let served = Notes<Void>()
        let app = try application(over: server) { _, _ in
            served.note(())
            return Response(status: .ok)
        } behind: {
            VerifyInterceptor(.hmac(HMACScheme(), keys: FixedSigningKeys([])), upTo: 3)
        }

        try await app.test(.live) { client in
            let response = try await transport().send(unannounced(method, client), call: Call())

            expectEqual(response.status, 413)
        }
        expectTrue(served.entries.isEmpty)
    }

    @Test("shows interceptors that a GET has no content")
    func noContent() async throws {
        let seen = Notes<Bool>()
        let app = try application(over: server, answering: fine) {
            through { chain in
                seen.note(chain.input.body.isEmpty)
                return try await chain.proceed()
            }
        }

        try await app.test(.live) { client in
            _ = try await transport().send(.get(url(client)), call: Call())
        }

        expectEqual(seen.entries, [true])
    }

    @Test("keeps serving a connection after it responds with 413 and 504")
    func failures() async throws {
        let keys = FixedSigningKeys([SigningKey(id: "app-1", secret: "s3cret".utf8)])
        let app = try application(over: server) { _, _ in
            Response(status: .ok)
        } behind: {
            CallerDeadlineInterceptor(.milliseconds("X-Time"))
            TimeoutInterceptor(total: .seconds(30))
            VerifyInterceptor(.hmac(HMACScheme(), keys: keys), upTo: 10)
        }

        try await app.test(.live) { client in
            let (carrier, url) = (try transport(), self.url(client))
            let tooLarge = HTTP.Request.post(url, body: .bytes(Data(count: 1000)))
            let tooLate = HTTP.Request.get(url, headers: ["X-Time": "0"])

            try await expectEqual(carrier.send(tooLarge, call: Call()).status, 413)
            try await expectEqual(carrier.send(tooLate, call: Call()).status, 504)
        }
    }

    @Test("drops the connection header fields of HTTP/1.1 from a response")
    func connectionFields() async throws {
        let app = try application(over: server, answering: fine) {
            through { _ in
                HTTP.Response(
                    200,
                    headers: [
                        "Connection": "close", "Keep-Alive": "timeout=5", "X-Kept": "1",
                    ],
                    body: "seven"
                )
            }
        }

        try await app.test(.live) { client in
            let response = try await transport().send(.get(url(client)), call: Call())

            expectEqual(response.headers["X-Kept"], "1")
            expectEqual(response.headers["Keep-Alive"], nil)
            try await expectEqual(response.text(), "seven")
        }
    }

    private func unannounced(
        _ method: HTTP.Method,
        _ client: any TestClientProtocol
    ) -> HTTP.Request {
        let content = AsyncStream { chunks in
            chunks.yield(Data("four".utf8))
            chunks.finish()
        }
        return HTTP.Request(method, url(client), body: .oneShot(content))
    }

    private func url(_ client: any TestClientProtocol) -> HTTP.URL {
        HTTP.URL("https://127.0.0.1:\(client.port ?? 0)/")
    }

    private func transport() throws -> CurlTransport {
        var settings = CurlTransport.Settings()
        settings.proxy = .none
        settings.tls.trust = .file(certificate.file)
        return try CurlTransport(settings: settings)
    }
}

/// By rule, though libcurl sends some with these.
private let methodsWithoutContent: [HTTP.Method] = [.get, .delete, .options]

private func + (url: HTTP.URL, path: String) -> HTTP.URL { HTTP.URL(unvalidated: url.text + path) }
#endif
