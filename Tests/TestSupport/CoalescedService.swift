package import InterceptorKit
import InterceptorKitConcurrency
package import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A service that takes a second to answer, with `answer 1`, `answer 2`, …, and a client that shares its
/// sends.
package struct CoalescedService {
    package let transport: ScriptedTransport<HTTP.Request>
    package let client: HTTP.Client

    package init(
        _ simulation: Simulation,
        ignoring: [String] = [],
        events: (any EventSink)? = nil
    ) throws {
        let count = Lock(0)
        transport = ScriptedTransport { _, call in
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await call.runtime.sleep(for: .seconds(1))
            return HTTP.Response(200, body: .oneShot(OneChunk("answer \(number)")))
        }
        client = try simulation.client(transport, events: events) {
            CoalescingInterceptor(ignoring: ignoring)
        }
    }

    /// What requests sent side by side are answered with, in any order.
    package func texts(of requests: [HTTP.Request]) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            for request in requests {
                group.addTask { try await client.send(request).text() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// A body of one chunk, with a trailer after it.
package final class OneChunk: HTTP.BodyStream {
    private let rest: Lock<Data?>

    package init(_ text: String) { rest = Lock(Data(text.utf8)) }

    package var trailers: HTTP.Headers? { rest.withLock { $0 == nil ? ["X-Sum": "1"] : nil } }

    package func next() async throws -> Data? { rest.withLock { $0.take() } }

    package func cancel() { rest.withLock { $0 = nil } }
}
