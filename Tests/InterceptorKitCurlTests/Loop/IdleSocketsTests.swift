import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import TestRun
import Testing

@Suite("A kept connection", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct IdleSocketsTests {
    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test("is not used again when it has unread bytes")
    func unreadBytes() async throws {
        let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
        let gate = Gate("first exchange")
        let server = try LoopbackServer { request in
            switch request.path {
            case "/meanwhile":
                try? await gate.pass()
                return .text("meanwhile").delayed(by: .milliseconds(200)).closingAfter()
            case "/first":
                gate.open()
                return .text("first").followed(by: forged, after: .milliseconds(20))
            default:
                return .text("next")
            }
        }
        async let meanwhile = transport.send(.get(server.url("/meanwhile")), call: Call()).text()
        try await server.waitForRequests(1)
        _ = try await transport.send(.get(server.url("/first")), call: Call()).text()
        _ = try await meanwhile

        let text = try await transport.send(
            .post(server.url("/a/../next?"), body: .bytes(Data(count: 100_000))),
            call: Call()
        ).text()

        expectEqual(text, "next")
        expectEqual(server.requests.map(\.connection), [1, 2, 3])
        expectEqual(server.requests.last?.target, "/a/../next?")
        expectEqual(server.requests.last?.body.count, 100_000)
    }
}
