import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "Request bodies whose streams fail",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct UploadPumpTests {
    private struct SourceFailure: Error {}

    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test("throw their stream's own error unchanged")
    func sourceError() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let failing = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data(count: 10))
            continuation.finish(throwing: SourceFailure())
        }

        await #expect(throws: SourceFailure.self) {
            try await transport.send(
                .put(server.url("/"), body: .oneShot(failing)),
                call: Call()
            )
        }
        try await server.waitForOpenConnections(0)
    }

    @Test("throw a TransportError, not a cancellation, when they are cancelled")
    func cancelledBody() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.finish()
        let body = HTTP.Body.oneShot(chunks)
        body.cancel()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.put(server.url("/"), body: body), call: Call())
        }

        expectEqual(error?.code, .other)
    }
}
