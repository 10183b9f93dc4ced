import Expectations
import InterceptorKit
import InterceptorKitSharedState
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("The largest limit there is")
struct LargestLimitTests {
    private static let interceptors: [any Interceptor<HTTP.Request>] = {
        var policy = IdempotencyPolicy()
        policy.requestLimit = .max
        policy.responseLimit = .max
        return [
            IdempotencyInterceptor(MemoryIdempotencyStore(), policy: policy) { _, _ in "a" },
            CoalescingInterceptor(upTo: .max), ErrorFilterInterceptor(bodyLimit: .max),
            LoggingInterceptor(.bodies, bodyLimit: .max) { _ in },
        ]
    }()

    @Test("limits nothing, and ends no process", arguments: interceptors.indices)
    func limits(index: Int) async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(
                200,
                body: .oneShot(
                    AsyncStream<Data> {
                        $0.yield(Data("{}".utf8)); $0.finish()
                    }
                )
            )
        }
        let client = try HTTP.Client(
            [Self.interceptors[index]],
            transport: transport,
            timeout: nil
        )
        let request = HTTP.Request(
            index == 0 ? .post : .get,
            "https://a.example/",
            headers: ["Idempotency-Key": "\"k\""]
        )

        try await expectEqual(client.send(request).text(), "{}")
    }

    @Test("of less than nothing is one of nothing")
    func negative() async throws {
        let body: HTTP.Body = "abc"

        try await expectTrue(body.beginning(upTo: -1, within: .seconds(1), on: .live).bytes.isEmpty)
        try await expectEqual(body.recorded(upTo: -1) { _ in }.collect().count, 3)
    }
}
