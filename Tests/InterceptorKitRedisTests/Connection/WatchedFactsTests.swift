#if Redis
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitRedis

@Suite("What a Redis server says of itself while it runs")
struct WatchedFactsTests {
    @Test(
        "is asked for again, and a server that forgets keys is refused",
        arguments: [
            (
                "maxmemory:1\r\nmaxmemory_policy:allkeys-lru\r\nevicted_keys:0\r\n",
                RedisError.Code?.some(.evictsKeys)
            ),
            ("maxmemory:1\r\nmaxmemory_policy:noeviction\r\nevicted_keys:7\r\n", .evictsKeys),
            ("maxmemory:1\r\nmaxmemory_policy:noeviction\r\nevicted_keys:2\r\n", nil),
        ]
    )
    func changed(info: String, expected: RedisError.Code?) async throws {
        let codes = try await onEverySeed(0..<5) { simulation in
            let server = ScriptedRedis(simulation.runtime) { command, _ in
                command.first == "HELLO" ? .silence : .reply(":-1\r\n")
            }
            server.setInfo("maxmemory:1\r\nmaxmemory_policy:noeviction\r\nevicted_keys:2\r\n")
            let store = RedisNonceStore(server.client(), runtime: simulation.runtime)
            func note() async throws -> RedisError.Code? {
                let date = simulation.runtime.date
                do {
                    _ = try await store.note("n", of: "a", until: date + 60, at: date)
                    return nil
                } catch let error as RedisError {
                    return error.code
                }
            }
            var codes = [try await note()]
            server.setInfo(info)
            try await simulation.runtime.sleep(for: .seconds(1))
            codes.append(try await note())
            return codes
        }

        expectEqual(codes, [nil, expected])
    }
}
#endif
