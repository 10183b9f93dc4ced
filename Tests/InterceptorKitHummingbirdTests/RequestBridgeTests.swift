#if Hummingbird
import Expectations
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitTesting
import NIOCore
import TestRun
import Testing

@Suite(
    "ChainMiddleware whose chain proceeds several times",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct RequestBridgeTests {
    @Test("calls the handler again when a chain proceeds in sequence")
    func again() async throws {
        let statuses = Notes<Int>()
        let app = try application { _, context in
            statuses.note(context.serving.call?.attempt ?? 0)
            return Response(status: statuses.entries.count < 3 ? .serviceUnavailable : .ok)
        } behind: {
            through { chain in
                for number in 1...2 {
                    let response = try await chain.proceed(
                        chain.input,
                        call: chain.call.withAttempt(number)
                    )
                    if response.status.isSuccess { return response }
                }
                return try await chain.proceed(chain.input, call: chain.call.withAttempt(3))
            }
        }

        let status = try await app.test(.router) { client in
            try await client.execute(uri: "/", method: .get).status
        }

        expectEqual(status, .ok)
        expectEqual(statuses.entries, [1, 2, 3])
    }

    @Test("refuses to proceed concurrently or after the response")
    func misuse() async throws {
        let late = Notes<InterceptorChain<HTTP.Request>>()
        let errors = Notes<String>()
        let app = try application { _, _ in
            await errors.wait()
            return Response(status: .ok)
        } behind: {
            through { chain in
                late.note(chain)
                return try await withThrowingTaskGroup(of: HTTP.Response?.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            do {
                                return try await chain.proceed()
                            } catch {
                                errors.note("\(error)")
                                return nil
                            }
                        }
                    }
                    var response: HTTP.Response?
                    for try await found in group { response = found ?? response }
                    return response ?? HTTP.Response(500)
                }
            }
        }

        let status = try await app.test(.router) { client in
            try await client.execute(uri: "/", method: .get).status
        }
        let chain = try unwrap(late.entries.first)
        do {
            _ = try await chain.proceed()
        } catch {
            errors.note("\(error)")
        }

        expectEqual(status, .ok)
        expectEqual(errors.entries.count, 2)
        expectEqual(errors.entries.first?.contains("side by side"), true)
        expectEqual(errors.entries.last?.contains("after the request was answered"), true)
    }
}
#endif
