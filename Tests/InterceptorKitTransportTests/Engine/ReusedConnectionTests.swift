import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@testable import InterceptorKitTransport

@Suite("A connection used again", .timeLimit(.minutes(1)))
struct ReusedConnectionTests {
    // The engine begins again without the part of the body that it has sent; the host would wait for it
    // until the idle timeout.
    @Test(
        "a body that was cut off with it is an error at once, and never sent as less",
        arguments: [1, 500_000]
    )
    func cutOff(size: Int) async throws {
        let server = try LoopbackServer.start {
            $0.number == 2 ? .closedBeforeReply : .text("hello")
        }
        let transport = URLSessionTransport()
        _ = try await transport.send(.get(server.url("/")), call: Call()).text()
        await transport.registry.idle()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .post(server.url("/"), body: .bytes(Data(count: size))),
                call: Call().deadline(within: .seconds(30))
            )
        }
        await transport.registry.idle()

        #expect(error?.code == .connectionLost)
        #expect(error?.isCertainlyUnsent == false)
        #expect(server.requests.allSatisfy { $0.method == .get || $0.body.count == size })
    }
}
