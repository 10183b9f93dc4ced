import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("CacheHandler, asking the server")
struct CachePassageSendingTests {
    /// What the service does from its second answer on.
    private enum Trouble: Sendable, CaseIterable {
        case lost, broken, gateway
    }

    private static func service(
        _ simulation: Simulation,
        _ freshness: String,
        _ trouble: Trouble,
        policy: CachePolicy = CachePolicy()
    ) throws -> CachedService {
        let count = Lock(0)
        return try CachedService(simulation, policy: policy) { _, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                return HTTP.Response(200, headers: ["Cache-Control": freshness], body: "1")
            }
            switch trouble {
            case .lost: throw TransportError(.connectionLost, "Lost.")
            case .broken: return HTTP.Response(500, body: "broken")
            case .gateway: return HTTP.Response(504, body: "late")
            }
        }
    }

    @Test(
        "a confirmation that varies by other fields ends the stored response",
        arguments: ["*", "Accept-Language"]
    )
    func otherSelection(varying: String) throws {
        try Simulation.run { simulation in
            let fields: HTTP.Headers = ["Cache-Control": "max-age=10", "ETag": "\"1\""]
            let service = try CachedService(simulation) { request, _ in
                guard request.headers.contains("If-None-Match") else {
                    return HTTP.Response(200, headers: fields, body: "1")
                }
                var changed = fields
                changed["Vary"] = varying
                return HTTP.Response(304, headers: changed)
            }
            _ = try await service.text(["Accept-Language": "en"])
            try await service.pass(20)

            let confirmed = try await service.get(["Accept-Language": "en"])
            let other = try await service.get(["Accept-Language": "fr"])

            expectEqual(confirmed.cacheStatus, .validated)
            expectEqual(other.cacheStatus, .miss)
        }
    }

    @Test("a compressing server's tag confirms what is stored with its coding")
    func codedTag() throws {
        try Simulation.run { simulation in
            let asked = Recorder<String?>()
            let service = try CachedService(simulation) { request, _ in
                let condition = request.headers["If-None-Match"]
                asked.note(condition)
                let tag = condition == nil ? "\"v1-gzip\"" : "\"v1\""
                return HTTP.Response(
                    condition == nil ? 200 : 304,
                    headers: ["Cache-Control": "max-age=10", "ETag": tag],
                    body: condition == nil ? "1" : .empty
                )
            }

            for _ in 0..<3 {
                try await expectEqual(service.text(), "1")
                try await service.pass(20)
            }

            expectEqual(asked.entries, [nil, "\"v1-gzip\"", "\"v1-gzip\""])
        }
    }

    @Test(
        "stale-if-error allows a stale response for its time, and no longer",
        arguments: Trouble.allCases
    )
    private func staleIfError(trouble: Trouble) async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try Self.service(simulation, "max-age=10, stale-if-error=20", trouble)

            _ = try await service.text()
            try await service.pass(29)
            let served = try await service.get()
            try await service.pass(2)
            let late = try? await service.get()

            expectEqual(served.cacheStatus, .stale)
            expectEqual(served.headers["Age"], "29")
            try await expectEqual(served.text(), "1")
            expectTrue(late?.status.isServerError ?? true)
            expectEqual(service.sends, 3)
        }
    }

    @Test("a request or a policy may allow stale responses on errors")
    func asked() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try Self.service(simulation, "max-age=10", .lost)
            let policy = CachePolicy(staleIfError: .seconds(60))
            let lenient = try Self.service(simulation, "max-age=10", .lost, policy: policy)

            _ = try await service.text()
            _ = try await lenient.text()
            try await service.pass(20)
            let text = try await service.text(["Cache-Control": "stale-if-error=60"])

            expectEqual(text, "1")
            try await expectEqual(lenient.text(), "1")
            await #expect(throws: TransportError.self) { try await service.text() }
        }
    }

    @Test(
        "a response that must be revalidated is never served stale",
        arguments: ["must-revalidate", "no-cache"],
        Trouble.allCases
    )
    private func prohibited(directive: String, trouble: Trouble) async throws {
        try await onEverySeed(0..<5) { simulation in
            let freshness =
                "max-age=10, stale-if-error=600, stale-while-revalidate=600, \(directive)"
            let policy = CachePolicy(staleIfError: .seconds(600))
            let service = try Self.service(simulation, freshness, trouble, policy: policy)

            _ = try await service.text()
            try await service.pass(20)
            let response = try? await service.get(["Cache-Control": "max-stale=600"])

            expectTrue(response?.status.isServerError ?? true)
            expectEqual(service.sends, 2)
        }
    }

    @Test("a cancelled caller gets no stale response")
    func cancelled() async throws {
        try await onEverySeed(0..<50) { simulation in
            let service = try CachedService(simulation) { request, call in
                if request.headers.contains("X-Slow") {
                    try await call.runtime.sleep(for: .seconds(60))
                }
                let freshness = "max-age=10, stale-if-error=600"
                return HTTP.Response(200, headers: ["Cache-Control": freshness], body: "1")
            }
            _ = try await service.text()
            try await service.pass(20)

            let caller = simulation.runtime.start("caller") {
                await #expect(throws: CancellationError.self) {
                    try await service.text(["X-Slow": "1"])
                }
            }
            try await service.pass(1)
            caller.cancel()
            await caller.value

            expectEqual(simulation.now.offset, .seconds(21))
        }
    }

    @Test("a validated response is served with the fields of the 304")
    func validated() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation) { request, _ in
                guard request.headers["If-None-Match"] == #""v1""# else {
                    let fields: HTTP.Headers = [
                        "Cache-Control": "max-age=60", "ETag": #""v1""#, "X-Part": "a",
                    ]
                    return HTTP.Response(200, headers: fields, body: "content")
                }
                let fields: HTTP.Headers = ["ETag": #""v1""#, "X-Part": "b", "Content-Length": "0"]
                return HTTP.Response(304, headers: fields)
            }

            _ = try await service.text()
            try await service.pass(61)
            let confirmed = try await service.get()
            let hit = try await service.get()

            expectEqual(confirmed.cacheStatus, .validated)
            expectEqual(confirmed.status, 200)
            expectEqual(confirmed.headers["X-Part"], "b")
            expectEqual(confirmed.headers["Content-Length"], nil)
            expectEqual(confirmed.headers["Age"], nil)
            try await expectEqual(confirmed.text(), "content")
            expectEqual(hit.cacheStatus, .hit)
            expectEqual(hit.headers["X-Part"], "b")
            expectEqual(service.sends, 2)
            expectEqual(service.cache.statistics.validations, 1)
        }
    }

    @Test("a 304 with another ETag is not used, and the request is sent again")
    func unconfirmed() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation) { request, _ in
                if request.headers.contains("If-None-Match") {
                    return HTTP.Response(304, headers: ["ETag": #""v2""#])
                }
                let fields: HTTP.Headers = ["Cache-Control": "no-cache", "ETag": #""v1""#]
                return HTTP.Response(200, headers: fields, body: "content")
            }

            _ = try await service.text()
            let response = try await service.get()

            expectEqual(response.cacheStatus, .miss)
            try await expectEqual(response.text(), "content")
            expectEqual(service.sends, 3)
        }
    }
}
