import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("DataTaskTransport", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct DataTaskTransportTests {
    private let session = URLSession(configuration: .uncached)

    private var transports: [DataTaskTransport] {
        [
            DataTaskTransport(session),
            DataTaskTransport { [session] in try await session.data(for: $0) },
        ]
    }

    @Test("sends every kind of body byte for byte")
    func bodies() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let folder = try TemporaryFolder()
        let content = Content.large
        let path = try folder.file("content", content)
        for transport in transports {
            let bodies =
                [
                    .bytes(content), .file(path), .file(path, range: 5..<content.count),
                    .oneShot(chunks(of: content)), .replayable { chunks(of: content) },
                ] as [HTTP.Body]
            let client = HTTP.Client(transport: transport)
            for body in bodies { _ = try await client.send(.put(server.url("/"), body: body)) }
            let form = HTTP.Multipart([.file("file", at: path)], boundary: "b")
            _ = try await client.send(.post(server.url("/")).multipart(form))

            let arrived = server.requests.suffix(6).map(\.body)

            expectTrue(arrived[0] == content && arrived[1] == content)
            expectTrue(arrived[2] == content[5...])
            expectTrue(arrived[3] == content && arrived[4] == content)
            expectTrue(arrived[5].range(of: content) != nil)
        }
    }

    @Test("refuses a body above the limit before anything is sent")
    func tooLarge() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        for body in [
            HTTP.Body.oneShot(chunks(of: Data(count: 9))),
            .oneShot(length: 9, chunks(of: Data(count: 9))),
        ] {
            let transport = DataTaskTransport(session, maximumRequestBodyBytes: 8)

            let error = await #expect(throws: HTTP.RequestError.self) {
                try await transport.send(.put(server.url("/"), body: body), call: Call())
            }

            expectEqual(error?.code, .bodyTooLarge)
        }
        expectEqual(server.connectionCount, 0)
    }

    @Test("delivers what was compressed as decoded, also an error's message")
    func decoded() async throws {
        // "hello" as gzip with a stored block.
        let gzip: [UInt8] = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xfa, 0xff, 0x68, 0x65, 0x6c, 0x6c, 0x6f,
            0x86, 0xa6,
            0x10, 0x36, 5, 0, 0, 0,
        ]
        let server = try LoopbackServer { _ in
            .status(400, headers: ["Content-Encoding": "gzip"], body: Data(gzip))
        }
        for transport in transports {
            let response = try await transport.send(.get(server.url("/")), call: Call())

            try await expectEqual(response.text(), "hello")
            expectTrue(!response.headers.contains("Content-Encoding"))
            expectTrue(!response.headers.contains("Content-Length"))
        }
    }

    @Test("keeps the session's own time limit")
    func sessionTimeout() async throws {
        let server = try LoopbackServer { _ in .stalled }
        let configuration = URLSessionConfiguration.uncached
        configuration.timeoutIntervalForRequest = 1
        let transport = DataTaskTransport(URLSession(configuration: configuration))
        let start = ContinuousClock.now

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get(server.url("/")), call: Call())
        }

        expectEqual(error?.code, .timedOut)
        expectTrue(ContinuousClock.now - start < .seconds(50))
    }

    @Test("refuses a background session before anything is sent")
    func background() async throws {
        #if canImport(FoundationNetworking)
        let configuration = URLSessionConfiguration.uncached
        configuration.identifier = "background"
        let transport = DataTaskTransport(URLSession(configuration: configuration))

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get("http://127.0.0.1:1/"), call: Call())
        }

        expectEqual(error?.code, .unsupported)
        expectEqual(error?.isUnsent, true)
        #endif
    }

    @Test("ends cancelled calls over a session that has a cache, at any moment")
    func cache() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let transport = DataTaskTransport(URLSession(configuration: .default))
        for index in 0..<100 {
            let call = Task { try await transport.send(.get(server.url("/")), call: Call()) }
            for _ in 0..<(index % 10) { await Task.yield() }
            call.cancel()
            _ = await call.result
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())

        try await expectEqual(response.text(), "hello")
    }

    private func chunks(of data: Data) -> AsyncStream<Data> {
        AsyncStream { source in
            var rest = data
            while !rest.isEmpty {
                source.yield(Data(rest.prefix(100_000)))
                rest = rest.dropFirst(100_000)
            }
            source.finish()
        }
    }
}

extension URLSessionConfiguration {
    static var uncached: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        return configuration
    }
}
