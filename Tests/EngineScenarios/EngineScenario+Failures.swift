import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

extension EngineScenario {
    static let failures = [
        brokenHead("a reset before the head", .reset, .connectionLost),
        brokenHead("an end before the head", .closedBeforeReply, .connectionLost),
        brokenHead("what is no head", .raw("garbage\r\n\r\n"), .protocolViolation),
        brokenHead(
            "a field without a colon",
            .raw("HTTP/1.1 200 OK\r\nno colon\r\n\r\n"),
            .protocolViolation
        ),
        brokenBody("an end", .text("0123456789").truncated(after: 4), .connectionLost),
        brokenBody("a reset", .text("0123456789").resetInBody(after: 4), .connectionLost),
        brokenBody(
            "an end within a chunk",
            .text("0123456789").chunked(size: 10).truncated(after: 4),
            .connectionLost
        ),
        brokenBody(
            "a chunk without a size",
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
            .protocolViolation
        ),
    ]

    private static func brokenHead(
        _ what: String,
        _ reply: LoopbackServer.Reply,
        _ code: TransportError.Code
    ) -> EngineScenario {
        EngineScenario("calls \(what) by its name, and keeps what the engine says") {
            makeTransport in
            let transport = try makeTransport()
            let server = try LoopbackServer { _ in reply }

            let error = await #expect(throws: TransportError.self) {
                try await transport.send(.get(server.url("/secret?token=s3")), call: Call())
            }

            expectEqual(error?.code, code)
            expectEqual(error?.isUnsent, false)
            expectEqual(error?.cause.map(transport.isOwn), true)
            expectEqual(error?.description.contains("127.0.0.1:\(server.port)"), true)
            expectEqual(error?.description.contains("secret"), false)
            expectEqual(error?.description.contains("s3"), false)
        }
    }

    private static func brokenBody(
        _ what: String,
        _ reply: LoopbackServer.Reply,
        _ code: TransportError.Code
    ) -> EngineScenario {
        EngineScenario("throws \(what) within the body to its reader") { makeTransport in
            let transport = try makeTransport()
            let server = try LoopbackServer { _ in reply }

            let response = try await transport.send(.get(server.url("/")), call: Call())
            let error = await #expect(throws: TransportError.self) {
                try await response.body.collect()
            }

            expectEqual(response.status, 200)
            expectEqual(error?.code, code)
        }
    }
}
