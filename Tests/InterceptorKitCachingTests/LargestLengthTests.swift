import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@testable import InterceptorKitCaching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("The largest length there is")
struct LargestLengthTests {
    @Test("is kept by no store in memory, and the response is delivered")
    func memory() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(
                200,
                headers: ["Cache-Control": "max-age=60", "Content-Length": "\(Int.max)"],
                body: .oneShot(length: .max, AsyncStream<Data> { $0.finish() })
            )
        }
        let policy = CachePolicy(collapsingLimit: .max)
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            CacheInterceptor(policy: policy, partition: .oneIdentity)
        }

        try await expectEqual(client.send(.get("https://a.example/")).status, 200)
    }

    @Test(
        "belongs to no file of the disk's store",
        arguments: [(0, Int.max), (Int.max, 0), (Int.max, Int.max), (1 << 62, 1 << 62)]
    )
    func disk(headLength: Int, bodyLength: Int) {
        let written = EntryHeader(
            kind: .response,
            nonce: 1,
            id: 1,
            headLength: headLength,
            bodyLength: bodyLength
        ).bytes(before: [])

        expectEqual(EntryHeader(written, kind: .response, fileSize: .max), nil)
    }
}
