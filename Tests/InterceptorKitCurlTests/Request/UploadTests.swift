import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport's request bodies",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct UploadTests {
    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test("report their progress up to the whole body")
    func progress() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let told = Lock<[Int]>([])
        var call = Call()
        call.onBodySent = { count in told.withLock { $0.append(count) } }

        _ = try await transport.send(
            .put(server.url("/"), body: .bytes(Data(count: 1_000_000))),
            call: call
        )

        let counts = told.withLock(\.self)
        expectEqual(counts.last, 1_000_000)
        expectEqual(counts, counts.sorted())
    }
}
