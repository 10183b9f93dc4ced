#if AsyncHTTPClient
import Expectations
import AsyncHTTPClient
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import NIOSSL
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport with a hostile HTTP/2 server",
    .tags(.sockets),
    .serializedAcrossSuites,
    .enabled(if: RawHTTP2Server.canBeStarted),
    .timeLimit(.minutes(10))
)
struct HTTP2GuardsTests {
    private let transport: AsyncHTTPClientTransport

    init() {
        var configuration = AsyncHTTPClientTransport.defaultConfiguration
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.certificateVerification = .none
        transport = AsyncHTTPClientTransport(configuration: configuration)
    }

    @Test(
        "throws for an invalid status instead of ending the process",
        arguments: ["", "0", "000", "099", "-20", "-5", "+99", "101", "2000", "abc"],
        [true, false]
    )
    func status(_ status: String, endsStream: Bool) async throws {
        let answer = RawHTTP2Server.head(status: status, endsStream: endsStream)
        let body = RawHTTP2Server.frame(0, flags: 1, Array("abc".utf8))
        let server = try await RawHTTP2Server.start(answering: endsStream ? answer : answer + body)

        let error = await #expect(throws: TransportError.self) { try await get(from: server) }

        expectEqual(error?.code, .protocolViolation)
        expectEqual(error?.isUnsent, false)
    }

    @Test("throws for an interim response that ends the stream")
    func interim() async throws {
        let answer = RawHTTP2Server.head(status: "103", endsStream: true)
        let server = try await RawHTTP2Server.start(answering: answer)

        let error = await #expect(throws: TransportError.self) { try await get(from: server) }

        expectEqual(error?.code, .protocolViolation)
    }

    @Test("delivers a response that comes before the request was fully sent")
    func earlyAnswer() async throws {
        let answer = RawHTTP2Server.head(status: "204", endsStream: true)
        let server = try await RawHTTP2Server.start(answering: answer)
        let unfinished = AsyncStream<Data> { $0.yield(Data("begin".utf8)) }
        let url = HTTP.URL("https://127.0.0.1:\(raw: "\(server.port)")/")

        let response = try await transport.send(
            .post(url, body: .oneShot(unfinished)),
            call: Call().withDeadline(within: .seconds(5))
        )
        // Its connection ends, of which the engine must not tell a request that is over.
        await transport.shutdown()

        expectEqual(response.status, 204)
    }

    @Test("delivers an early response whose stream ends before it is read")
    func earlyReset() async throws {
        let server = try await RawHTTP2Server.start(
            answering: RawHTTP2Server.head(status: "200", length: 5, endsStream: false)
                + RawHTTP2Server.frame(0, flags: 0, Array("early".utf8)),
            then: RawHTTP2Server.frame(0, flags: 1, [])
                + RawHTTP2Server.frame(3, flags: 0, [0, 0, 0, 0])
        )
        let unfinished = AsyncStream<Data> { $0.yield(Data("begin".utf8)) }
        let url = HTTP.URL("https://127.0.0.1:\(raw: "\(server.port)")/")

        let response = try await transport.send(
            .post(url, body: .oneShot(unfinished)),
            call: Call().withDeadline(within: .seconds(20))
        )
        var readings = server.readings.makeAsyncIterator()
        for _ in 0..<2 { await readings.next() }
        let text = try await response.text()

        expectEqual(text, "early")
    }

    /// A stream refused or beyond a GOAWAY, and one that was reset.
    static let endings: [(frame: [UInt8], isUnsent: Bool)] = [
        (RawHTTP2Server.frame(3, flags: 0, [0, 0, 0, 7]), true),
        (RawHTTP2Server.frame(7, flags: 0, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0]), true),
        (RawHTTP2Server.frame(3, flags: 0, [0, 0, 0, 2]), false),
        (RawHTTP2Server.frame(3, flags: 0, [0, 0, 0, 0]), false),
    ]

    @Test("says unsent of a stream that was not processed", arguments: endings.indices)
    func unprocessed(index: Int) async throws {
        let (frame, isUnsent) = Self.endings[index]
        let server = try await RawHTTP2Server.start(answering: frame)
        let url = HTTP.URL("https://127.0.0.1:\(raw: "\(server.port)")/")

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.post(url, body: "x"), call: Call())
        }

        expectEqual(error?.code, .connectionLost)
        expectEqual(error?.isUnsent, isUnsent)
    }

    // A connection that closes is still given calls for a moment.
    @Test("reports calls refused by GOAWAY as lost, never as a closed transport")
    func goAway() async throws {
        let goAway = RawHTTP2Server.frame(7, flags: 0, stream: 0, [0, 0, 0, 1, 0, 0, 0, 0])
        let answer = RawHTTP2Server.head(status: "204", endsStream: true)
        let server = try await RawHTTP2Server.start(answering: answer + goAway)

        let codes = await withTaskGroup(of: TransportError.Code?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<40 {
                        do { _ = try await get(from: server) } catch let error as TransportError {
                            if error.code != .connectionLost { return error.code }
                        } catch {
                            return .other
                        }
                    }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }

        expectEqual(codes, [])
    }

    static let violations: [[UInt8]] = [
        RawHTTP2Server.frame(6, flags: 0, stream: 0, [1]),
        RawHTTP2Server.frame(1, flags: 0x5, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
    ]

    @Test("fails each call as lost after a connection error", arguments: violations)
    func violation(answer: [UInt8]) async throws {
        let server = try await RawHTTP2Server.start(answering: answer)

        for _ in 0..<2 {
            let error = await #expect(throws: TransportError.self) { try await get(from: server) }

            expectEqual(error?.code, .connectionLost)
        }
    }

    private func get(from server: RawHTTP2Server) async throws -> Data {
        let url = HTTP.URL("https://127.0.0.1:\(raw: "\(server.port)")/")
        let call = Call().withDeadline(within: .seconds(5))
        return try await transport.send(.get(url), call: call).body.collect()
    }
}
#endif
