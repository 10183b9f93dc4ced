#if Redis
import Expectations
import InterceptorKit
import InterceptorKitTesting
import NIOCore
import TestSupport
import Testing

@testable import InterceptorKitRedis

@Suite("RedisClient, greeting a server")
struct RedisHandshakeTests {
    @Test(
        "refuses a server that the stores would not work with",
        arguments: [
            ("%1\r\n+mode\r\n+cluster\r\n", "cluster"),
            ("%1\r\n+mode\r\n+sentinel\r\n", "sentinel"),
            ("%2\r\n+mode\r\n+standalone\r\n+role\r\n+replica\r\n", "replica"),
            ("-ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`\r\n", "RESP3"),
            ("+OK\r\n", "HELLO"),
        ]
    )
    func unsupported(hello: String, word: String) async throws {
        let (code, message) = try await onEverySeed(0..<5) { simulation in
            let server = ScriptedRedis(simulation.runtime) { _, _ in .reply(hello) }
            let client = server.client()
            do {
                try await client.ping()
                return (RedisError.Code?.none, "")
            } catch let error as RedisError {
                return (error.code, error.message)
            }
        }

        expectEqual(code, .unsupportedServer)
        expectTrue(message.contains(word))
    }

    @Test("says that the credential was refused, and repeats nothing of it")
    func credential() async throws {
        let (code, isSecret) = try await onEverySeed(0..<5) { simulation in
            let server = ScriptedRedis(simulation.runtime) { _, _ in
                .reply("-WRONGPASS invalid sesame\r\n")
            }
            let client = server.client { $0.credential = RedisCredential(password: "sesame") }
            do {
                try await client.ping()
                return (RedisError.Code?.none, false)
            } catch let error as RedisError {
                return (error.code, !"\(error) \(String(reflecting: error))".contains("sesame"))
            }
        }

        expectEqual(code, .notAuthenticated)
        expectTrue(isSecret)
    }

    @Test("reaches no server that has as many connections as it takes")
    func maximum() async throws {
        let (code, message) = try await onEverySeed(0..<5) { simulation in
            let server = ScriptedRedis(simulation.runtime) { _, _ in
                .reply("-ERR max number of clients reached\r\n")
            }
            let failed = await redisError { try await server.client().ping() }
            return (failed?.code, failed?.message ?? "")
        }

        expectEqual(code, .unreachable)
        expectTrue(message.contains("maxclients"))
    }

    @Test("says what a server refuses a connection with, unasked")
    func unasked() async throws {
        let code = try Simulation.run(seed: 1) { simulation in
            let connection = RedisConnection(
                limits: RESPLimits(),
                inFlightLimit: 1,
                runtime: simulation.runtime
            )

            connection.receive(ByteBuffer(string: "-DENIED Redis is in protected mode.\r\n"))

            return await redisError {
                try await connection.run(RedisCommand("PING"), until: simulation.now)
            }?.serverCode
        }

        expectEqual(code, "DENIED")
    }
}
#endif
