import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("Retrying through the chain")
struct RepeatedProceedTests {
    @Test("releases the unread body of the first response")
    func unreadBody() async throws {
        let (text, isReleased) = try await onEverySeed { simulation in
            let first = WeakReference()
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                let stream = CountingStream(chunks: 1)
                if first.isUnset { first.set(stream) }
                return HTTP.Response(body: .oneShot(stream))
            }
            let client = try simulation.client(transport) {
                AnyInterceptor { chain in
                    _ = try await chain.proceed()
                    return try await chain.proceed()
                }
            }
            let text = try await client.send(.get(orders)).text()
            return (text.count, first.isReleased)
        }

        expectEqual(text, 1024)
        expectTrue(isReleased)
    }
}

private final class WeakReference: Sendable {
    private struct Content {
        weak var stream: CountingStream?
        var isSet = false
    }

    private let content = Lock(Content())

    var isUnset: Bool { content.withLock { !$0.isSet } }
    var isReleased: Bool { content.withLock { $0.isSet && $0.stream == nil } }

    func set(_ stream: CountingStream) {
        content.withLock { $0 = Content(stream: stream, isSet: true) }
    }
}
