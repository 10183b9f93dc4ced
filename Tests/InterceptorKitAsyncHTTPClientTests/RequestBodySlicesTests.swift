#if AsyncHTTPClient
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@Suite(
    "A body sent in slices or as a stream",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct RequestBodySlicesTests {
    private let transport = AsyncHTTPClientTransport()

    static let watched: [HTTP.Body] = [
        .bytes(Data(count: 200_000)), .oneShot(chunks(200)), .oneShot(length: 200_000, chunks(200)),
    ]

    @Test("reports its progress up to the whole body", arguments: watched.indices)
    func progress(index: Int) async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let told = Lock<[Int]>([])
        var call = Call()
        call.onBodySent = { count in told.withLock { $0.append(count) } }

        let body = RequestBodySlicesTests.watched[index]
        _ = try await transport.send(.put(server.url("/"), body: body), call: call)

        let counts = told.withLock(\.self)
        expectTrue(counts.count > 2)
        expectEqual(counts, counts.sorted())
        expectEqual(counts.last, 200_000)
    }
}
#endif
