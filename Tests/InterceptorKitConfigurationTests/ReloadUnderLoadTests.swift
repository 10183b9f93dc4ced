#if Configuration
import Expectations
import BoundedWaits
import Configuration
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitConfiguration
import InterceptorKitCurl
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@Suite("A reload under load", .tags(.sockets), .serializedAcrossSuites)
struct ReloadUnderLoadTests {
    @Test("fails no call over real connections")
    func connections() async throws {
        let server = try LoopbackServer { _ in .text("fine").delayed(by: .milliseconds(2)) }
        defer { server.stop() }
        let transport = try CurlTransport()
        defer { transport.close() }
        let provider = MutableInMemoryProvider(initialValues: [
            "baseURL": ConfigValue(.string("\(server.origin)"), isSecret: false),
            "appVersion": "0",
        ])
        let clients = try ReloadableClient(
            config: ConfigReader(provider: provider),
            transport: transport
        )

        let completed = Counter()
        let refusal = try await within {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await clients.run() }
                try await withThrowingTaskGroup(of: Void.self) { callers in
                    for _ in 0..<8 {
                        callers.addTask {
                            for _ in 0..<50 {
                                let response = try await clients.send(.get("/orders"))
                                try await expectEqual(response.text(), "fine")
                                let count = completed.next()
                                guard count.isMultiple(of: 10) else { continue }
                                provider.setText("\(count)", forKey: "appVersion")
                            }
                        }
                    }
                    try await callers.waitForAll()
                }
                provider.setValue("never", forKey: "totalTimeoutSeconds")
                _ = await eventually { clients.refusal != nil }
                group.cancelAll()
                return clients.refusal
            }
        }

        expectEqual(completed.count, 400)
        expectTrue(Set(server.requests.map(\.target)).count > 10)
        expectEqual(refusal?.keys, ["totalTimeoutSeconds"])
        try await expectEqual(clients.send(.get("/orders")).status, 200)
    }
}
/// Counts calls.
private final class Counter: Sendable {
    private let state = Lock(0)

    var count: Int { state.withLock { $0 } }

    func next() -> Int {
        state.withLock { count in
            count += 1
            return count
        }
    }
}
#endif
