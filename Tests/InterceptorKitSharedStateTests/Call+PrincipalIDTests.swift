import Expectations
import InterceptorKit
import InterceptorKitSharedState
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Call+PrincipalID")
struct CallPrincipalIDTests {
    @Test("keeps records by the caller, and none of a call without one")
    func records() async throws {
        let runs = Recorder<String>()
        let handler = ScriptedTransport<HTTP.Request> { _, call in
            let caller = call.principal?.id ?? "nobody"
            runs.note(caller)
            return HTTP.Response(200, body: .text(caller))
        }
        let pipeline = try Pipeline(transport: handler) {
            IdempotencyInterceptor(MemoryIdempotencyStore())
        }
        func answer(_ caller: String?, key: String? = "k-1") async throws -> String {
            var call = pipeline.makeCall()
            call.principal = caller.map { Principal($0, issuer: "i") }
            return try await pipeline.run(Replicas.request(key: key), call: call).text()
        }

        let answers = [
            try await answer("alice"), try await answer("bob"), try await answer("alice"),
            try await answer(nil, key: nil),
        ]

        expectEqual(answers, ["i alice", "i bob", "i alice", "nobody"])
        expectEqual(runs.entries, ["i alice", "i bob", "nobody"])
        let error = await #expect(throws: SettingError.self) { try await answer(nil) }
        expectEqual(error?.setting, "IdempotencyInterceptor.principal")
    }

    @Test("limits each caller by itself, and lets no call without one pass")
    func limits() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let pipeline = try Pipeline(transport: transport) {
            SharedRateLimitInterceptor(
                MemoryRateLimitStore(),
                quota: RateLimitQuota(1, per: .seconds(3600))
            )
        }
        func outcome(_ caller: Principal?) async -> String {
            var call = pipeline.makeCall()
            call.principal = caller
            do {
                return "\(try await pipeline.run(.get(orders), call: call).status.code)"
            } catch let error as LimitError { return "\(error.code)" } catch { return "\(error)" }
        }
        let callers = [Principal("a"), Principal("a", issuer: "i"), Principal("a"), nil]

        var outcomes: [String] = []
        for caller in callers { outcomes.append(await outcome(caller)) }

        expectEqual(outcomes.dropLast(), ["200", "200", "rate"])
        expectTrue(outcomes[3].hasPrefix("SharedRateLimitInterceptor.key is absent"))
        expectEqual(transport.sent.count, 2)
    }
}
