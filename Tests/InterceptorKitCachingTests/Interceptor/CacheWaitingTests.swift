import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("CacheInterceptor, waiting for another's identical request")
struct CacheWaitingTests {
    @Test("a request for the origin's own response doesn't wait")
    func alone() async throws {
        try await onEverySeed(0..<200) { simulation in
            let service = try slow(simulation)
            async let first = service.text()
            async let second = service.text(["Cache-Control": "no-cache"])
            async let third = service.text(["Range": "bytes=0-1"])

            _ = try await (first, second, third)

            try requireEqual(service.sends, 3)
            try requireEqual(simulation.runtime.now.offset, .seconds(1))
        }
    }

    @Test("an unstorable response is waited for once, and not again")
    func unstorable() async throws {
        try await onEverySeed(0..<200) { simulation in
            let service = try slow(simulation, ["Cache-Control": "no-store"])
            for seconds in [2, 3] {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<5 { group.addTask { _ = try await service.text() } }
                    try await group.waitForAll()
                }
                try requireEqual(simulation.runtime.now.offset, .seconds(seconds))
            }

            try requireEqual(service.sends, 10)
        }
    }

    @Test("a request that hangs holds no other up for long")
    func hanging() async throws {
        try await onEverySeed(0..<20) { simulation in
            let sends = Lock(0)
            let service = try CachedService(simulation) { _, call in
                let isFirst = sends.withLock { sends in
                    sends += 1
                    return sends == 1
                }
                if isFirst { try await call.runtime.sleep(for: .seconds(60)) }
                return HTTP.Response(200, headers: ["Cache-Control": "max-age=60"], body: "content")
            }
            async let first = service.text()
            try await simulation.runtime.sleep(for: .milliseconds(100))
            let began = simulation.now

            try await requireEqual(service.text(), "content")

            try requireEqual(began.duration(to: simulation.now), .seconds(5))
            try await requireEqual(first, "content")
        }
    }

    @Test("a policy can turn waiting off")
    func off() async throws {
        try await onEverySeed(0..<50) { simulation in
            let service = try slow(simulation, policy: CachePolicy(collapsesRequests: false))
            async let first = service.text()
            async let second = service.text()

            _ = try await (first, second)

            try requireEqual(service.sends, 2)
        }
    }

    private func slow(
        _ simulation: Simulation,
        _ fields: HTTP.Headers = ["Cache-Control": "max-age=60"],
        policy: CachePolicy = CachePolicy()
    ) throws -> CachedService {
        try CachedService(simulation, policy: policy) { _, call in
            try await call.runtime.sleep(for: .seconds(1))
            return HTTP.Response(200, headers: fields, body: "content")
        }
    }
}
