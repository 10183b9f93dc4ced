#if AsyncHTTPClient
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(1))
)
struct AsyncHTTPClientTransportTests {
    private let transport = AsyncHTTPClientTransport()

    @Test("carries request and response with order, case and repeats of fields")
    func exchange() async throws {
        let fields: HTTP.Headers = [
            "X-lower-CASE": "1", "Set-Cookie": "a=1", "x-other": "2", "Set-Cookie": "b=2",
        ]
        let server = try LoopbackServer.start { _ in .status(203, headers: fields, body: "hello") }

        let response = try await transport.send(
            .get(server.url("/path?q=%20"), headers: ["b-B": "1", "a": "2", "b-b": "3"]),
            call: Call()
        )
        let text = try await response.text()

        #expect(response.status == 203)
        #expect(response.headers.map(\.name).starts(with: fields.map(\.name)))
        #expect(response.headers.values("Set-Cookie") == ["a=1", "b=2"])
        #expect(response.body.length == 5)
        #expect(text == "hello")
        let request = try #require(server.requests.first)
        #expect(request.target == "/path?q=%20")
        #expect(request.headers.prefix(3).map(\.name) == ["b-B", "a", "b-b"])
        #expect(request.headers.prefix(3).map(\.value) == ["1", "2", "3"])
    }

    @Test("adds only the framing fields that its documentation lists")
    func adds() async throws {
        let server = try LoopbackServer.start { _ in .status(200) }

        let response = try await transport.send(.post(server.url("/"), body: "x"), call: Call())
        let streamed = HTTP.Body.oneShot(chunks(2))
        _ = try await transport.send(.post(server.url("/"), body: streamed), call: Call())
        _ = try await transport.send(.get(server.url("/")), call: Call())

        #expect(response.request?.headers == [:])
        #expect(
            server.requests.map { $0.headers.map { $0.name.lowercased() }.sorted() }
                == [["content-length", "host"], ["host", "transfer-encoding"], ["host"]]
        )
    }

    static let bodies: [(HTTP.Body, Int, String?)] = [
        ("text", 4, "4"), (.empty, 0, "0"),
        (.bytes(Data(count: 3_000_000)), 3_000_000, "3000000"),
        (.replayable { chunks(10) }, 10_000, nil), (.oneShot(chunks(3)), 3_000, nil),
        (.oneShot(length: 3_000, chunks(3)), 3_000, "3000"),
        (.file(#filePath, range: 0..<6), 6, "6"),
    ]

    @Test("sends a body whole, with its length if it is known", arguments: bodies.indices)
    func sendsBody(index: Int) async throws {
        let (body, count, length) = AsyncHTTPClientTransportTests.bodies[index]
        let server = try LoopbackServer.start { _ in .status(200) }

        let response = try await transport.send(.put(server.url("/"), body: body), call: Call())

        #expect(response.status == 200)
        let request = try #require(server.requests.first)
        #expect(request.body.count == count)
        #expect(request.headers["Content-Length"] == length)
    }

    static let watched: [HTTP.Body] = [
        .bytes(Data(count: 200_000)), .oneShot(chunks(200)), .oneShot(length: 200_000, chunks(200)),
    ]

    @Test("reports upload progress up to the whole body", arguments: watched.indices)
    func progress(index: Int) async throws {
        let server = try LoopbackServer.start { _ in .status(200) }
        let told = Lock<[Int]>([])
        var call = Call()
        call.onBodySent = { count in told.withLock { $0.append(count) } }

        let body = AsyncHTTPClientTransportTests.watched[index]
        _ = try await transport.send(.put(server.url("/"), body: body), call: call)

        let counts = told.withLock(\.self)
        #expect(counts.count > 2)
        #expect(counts == counts.sorted())
        #expect(counts.last == 200_000)
    }

    @Test("delivers a large body whole")
    func largeBody() async throws {
        let content = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try LoopbackServer.start { _ in
            .status(200, body: content).chunked(size: 70_000)
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        let data = try await response.body.collect()

        #expect(data == content)
    }

    @Test("keeps the connection after a response without a body", arguments: [204, 304])
    func bodiless(code: Int) async throws {
        let server = try LoopbackServer.start { request in
            request.method == .head ? .text("hello") : .status(HTTP.Status(code))
        }

        let head = try await transport.send(.head(server.url("/")), call: Call())
        let other = try await transport.send(.get(server.url("/")), call: Call())

        #expect(head.headers["Content-Length"] == "5")
        #expect(head.body.isEmpty)
        #expect(other.body.isEmpty)
        #expect(server.connectionCount == 1)
    }

    @Test("keeps the connection after an upload of a known length")
    func uploads() async throws {
        let server = try LoopbackServer.start { _ in .text("fine") }

        for _ in 0..<20 {
            let body = HTTP.Body.oneShot(length: 2_000, chunks(2))
            let response = try await transport.send(.put(server.url("/"), body: body), call: Call())
            _ = try await response.text()
        }

        // The engine takes a connection back a moment after the answer, so one more is no failure.
        #expect(server.connectionCount <= 5)
    }

    @Test("sends every request target exactly as written", arguments: [1, 2] as [UInt64])
    func targets(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let server = try LoopbackServer.start { _ in .status(204) }
        let characters = Array("abAB019-._~!$&'()*+,;=:@/%").map {
            $0 == "%" ? "%2f" : String($0)
        }
        let urls = (0..<200).map { _ in
            let text = { (count: Int, more: [String]) in
                (0..<count).map { _ in
                    (characters + more).randomElement(using: &random) ?? ""
                }.joined()
            }
            let path = text(Int.random(in: 0...8, using: &random), [])
            let query = text(Int.random(in: 0...8, using: &random), ["?"])
            return server.url("/\(path)" + (Bool.random(using: &random) ? "?\(query)" : ""))
        }

        for url in urls { _ = try await transport.send(.get(url), call: Call()) }

        #expect(server.requests.map(\.target) == urls.map(\.requestTarget))
    }

    @Test("works as a client's transport beneath a RetryInterceptor")
    func client() async throws {
        let server = try LoopbackServer.start { request in
            request.number == 1 ? .status(503, headers: ["Retry-After": "0"]) : .text("fine")
        }
        let client = try HTTP.Client(transport: transport) {
            RetryInterceptor(policy: .standard)
        }

        let text = try await client.send(.get(server.url("/"))).text()

        #expect(text == "fine")
    }
}

private func chunks(_ count: Int) -> AsyncStream<Data> {
    AsyncStream { continuation in
        for _ in 0..<count { continuation.yield(Data(count: 1000)) }
        continuation.finish()
    }
}
#endif
