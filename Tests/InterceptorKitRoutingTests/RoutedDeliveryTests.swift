import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitRouting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A routed session", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct RoutedDeliveryTests {
    private let request = urlRequest("http://api.example.com/large")

    @Test("fails, instead of truncating, when a body exceeds the memory limit")
    func limit() async throws {
        let client = try client(answering: pieces(of: Data(count: 100_001)))
        let log = DelegateLog()

        let answer = await routedSession(through: client, upTo: 100_000).answer(to: request)

        guard case .failure(let error) = answer else {
            Issue.record("it was delivered")
            return
        }
        expectEqual(error.code, .dataLengthExceedsMaximum)
        expectEqual((error.userInfo[NSUnderlyingErrorKey] as? RoutingError)?.code, .bodyTooLarge)
        expectTrue(log.current.chunks.isEmpty)
    }

    @Test("fails when a body is cut off")
    func brokenOff() async throws {
        let body = HTTP.Body.oneShot(
            AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data("half".utf8))
                stream.finish(throwing: TransportError(.connectionLost, "Broken off."))
            }
        )

        let answer = await routedSession(through: try client(answering: body))
            .answer(to: request)

        #expect(throws: URLError.self) { try answer.get() }
        expectEqual(failure(of: answer)?.code, .networkConnectionLost)
    }

    @Test("succeeds for a response without a body")
    func empty() async throws {
        let (data, response) = try await routedSession(through: try client(answering: .empty))
            .answer(to: request).get()

        expectTrue(data.isEmpty)
        expectEqual(response.statusCode, 200)
        expectEqual(response.url, request.url)
    }
}

func failure<Value>(of result: Result<Value, URLError>) -> URLError? {
    if case .failure(let error) = result { error } else { nil }
}
