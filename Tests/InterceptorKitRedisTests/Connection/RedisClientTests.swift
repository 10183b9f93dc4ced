#if Redis
import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitRedis

@Suite("RedisClient")
struct RedisClientTests {
    @Test("greets with RESP3, the credential and the database, once a connection")
    func greeting() async throws {
        let (greetings, commands) = try await onEverySeed(0..<20) { simulation in
            let server = ScriptedRedis(simulation.runtime) { command, _ in
                command[0] == "HELLO" ? .silence : .reply("+OK\r\n")
            }
            let client = server.client {
                $0.credential = RedisCredential(username: "app", password: "secret")
                $0.database = 2
            }
            _ = try await client.send("SET", "a", "1")
            _ = try await client.send("SET", "b", "2")
            client.close()
            return (server.greetings, server.commands)
        }

        expectEqual(
            greetings,
            [["HELLO", "3", "AUTH", "app", "secret", "SETNAME", "InterceptorKit"]]
        )
        expectEqual(commands, [["SELECT", "2"], ["SET", "a", "1"], ["SET", "b", "2"]])
    }

    @Test("gives each of many calls at once its own reply, on one connection")
    func pipelining() async throws {
        let (replies, connections, time) = try await onEverySeed { simulation in
            let server = echo(simulation.runtime)
            let client = server.client()
            let replies = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try await client.send("ECHO", "\(number)").string == "\(number)"
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            client.close()
            return (replies, server.connections, simulation.now.offset < .milliseconds(10))
        }

        expectEqual(replies, 50)
        expectEqual(connections, 1)
        expectTrue(time)
    }

    @Test("does not know an outcome when no reply comes within the time limit")
    func silence() async throws {
        let (code, time, open) = try await onEverySeed { simulation in
            let server = ScriptedRedis(simulation.runtime) { _, _ in .silence }
            let client = server.client { $0.timeout = .milliseconds(300) }
            let code = await failure { _ = try await client.send("GET", "a") }
            return (code, simulation.now.offset, server.open)
        }

        expectEqual(code, .outcomeUnknown)
        expectEqual(time, .milliseconds(300))
        expectEqual(open, 0)
    }

    @Test("waits no longer than the time limit for a connection")
    func absence() async throws {
        let (codes, isInTime) = try await onEverySeed { simulation in
            let server = ScriptedRedis(simulation.runtime) { _, _ in .silence }
            server.setAway(true)
            let client = server.client { $0.timeout = .milliseconds(300) }
            var codes: Set<RedisError.Code> = []
            var isInTime = true
            for _ in 0..<20 {
                let start = simulation.now
                if let code = await failure({ _ = try await client.send("GET", "a") }) {
                    codes.insert(code)
                }
                isInTime = isInTime && start.duration(to: simulation.now) <= .milliseconds(300)
            }
            return (codes, isInTime)
        }

        expectEqual(codes, [.unreachable])
        expectTrue(isInTime)
    }

    @Test("refuses at once while the next attempt to connect is too far away")
    func failsFast() async throws {
        let fast = try await onEverySeed { simulation in
            let server = ScriptedRedis(simulation.runtime) { _, _ in .silence }
            server.setAway(true)
            let client = server.client {
                $0.timeout = .milliseconds(300)
                $0.backoff = Backoff(base: .seconds(2), cap: .seconds(2), jitter: .none)
            }
            let start = simulation.now
            for _ in 0..<100 { _ = await failure { _ = try await client.send("GET", "a") } }
            return (start.duration(to: simulation.now), server.connections)
        }

        expectTrue(fast == (.zero, 1))
    }

    @Test("connects again when the server is back, after the backoff")
    func returns() async throws {
        let (reply, connections) = try await onEverySeed { simulation in
            let server = ScriptedRedis(simulation.runtime) { command, _ in
                command[0] == "HELLO" ? .silence : .reply("+PONG\r\n")
            }
            server.setAway(true)
            let client = server.client {
                $0.backoff = Backoff(base: .seconds(1), cap: .seconds(1), jitter: .none)
            }
            _ = await failure { try await client.ping() }
            server.setAway(false)
            try await simulation.runtime.sleep(for: .seconds(1))
            let reply = await failure { try await client.ping() }
            client.close()
            return (reply, server.connections)
        }

        expectEqual(reply, nil)
        expectEqual(connections, 2)
    }

    @Test("sends again after a break only what may be carried out twice")
    func repetition() async throws {
        let (first, second, commands) = try await onEverySeed { simulation in
            let server = ScriptedRedis(simulation.runtime) { command, connection in
                if command[0] == "HELLO" { return .silence }
                return connection % 2 == 1 ? .breaks : .reply(":1\r\n")
            }
            let client = server.client()
            let first = try await client.send("GET", "a", isRepeatable: true).integer
            // The connection of this one breaks, after a new one was made for it.
            let other = server.client()
            let second = await failure { _ = try await other.send("INCR", "b") }
            client.close()
            return (first, second, server.commands)
        }

        expectEqual(first, 1)
        expectEqual(second, .outcomeUnknown)
        expectEqual(commands, [["GET", "a"], ["GET", "a"], ["INCR", "b"]])
    }

    @Test("a cancelled call ends at once, and its reply goes to nobody else")
    func cancellation() async throws {
        let (isCancelled, time, next) = try await onEverySeed { simulation in
            let server = echo(simulation.runtime)
            let client = server.client()
            _ = try await client.send("ECHO", "warm")
            let start = simulation.now
            let task = Task.child(in: simulation) { try await client.send("ECHO", "dropped") }
            try await simulation.runtime.sleep(for: .microseconds(100))
            task.cancel()
            let result = await task.result
            let time = start.duration(to: simulation.now)
            let next = try await client.send("ECHO", "next").string
            client.close()
            var isCancelled = false
            if case .failure(is CancellationError) = result { isCancelled = true }
            return (isCancelled, time, next)
        }

        expectTrue(isCancelled)
        expectEqual(time, .microseconds(100))
        expectEqual(next, "next")
    }

    @Test("refuses commands above the most that may be in flight")
    func inFlight() async throws {
        let (codes, waiting) = try await onEverySeed(0..<20) { simulation in
            let server = ScriptedRedis(simulation.runtime) { _, _ in .silence }
            let client = server.client { $0.inFlightLimit = 3 }
            return await withTaskGroup(of: RedisError.Code?.self) { group in
                for _ in 0..<5 {
                    group.addTask { await failure { _ = try await client.send("GET", "a") } }
                }
                var counts: [String: Int] = [:]
                for await code in group { counts["\(code?.description ?? "")", default: 0] += 1 }
                return (counts["tooManyCommands"], counts["outcomeUnknown"])
            }
        }

        expectEqual(codes, 2)
        expectEqual(waiting, 3)
    }

    @Test("brings a script to a server that lacks it")
    func scripts() async throws {
        let (reply, commands) = try await onEverySeed(0..<20) { simulation in
            let server = ScriptedRedis(simulation.runtime) { command, _ in
                switch command[0] {
                case "HELLO": .silence
                case "EVAL": .reply(":1\r\n")
                default: .reply("-NOSCRIPT No matching script. Please use EVAL.\r\n")
                }
            }
            let client = server.client()
            let reply = try await client.run(RedisScript("return 1"), ["key"]) { _ in
                ["argument"]
            }
            client.close()
            return (reply.value.integer, server.commands)
        }

        expectEqual(reply, 1)
        expectEqual(
            commands,
            [
                ["EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "1", "key", "argument"],
                ["EVAL", "return 1", "1", "key", "argument"],
            ]
        )
    }

    @Test("takes no longer for a script that the server lacks")
    func missingScript() async throws {
        let (code, time) = try await onEverySeed(0..<20) { simulation in
            let server = ScriptedRedis(simulation.runtime) { command, _ in
                command[0] == "EVALSHA" ? .reply("-NOSCRIPT No matching script.\r\n") : .silence
            }
            let client = server.client { $0.timeout = .milliseconds(300) }
            let code = await failure {
                try await client.run(RedisScript("return 1"), []) { _ in [] }
            }
            return (code, simulation.now.offset)
        }

        expectEqual(code, .outcomeUnknown)
        expectEqual(time, .milliseconds(300))
    }

    @Test("connects again when its server has become a replica")
    func demotion() async throws {
        let (first, second, open) = try await onEverySeed(0..<20) { simulation in
            let server = ScriptedRedis(simulation.runtime) { command, connection in
                if command[0] == "HELLO" { return .silence }
                return connection == 1
                    ? .reply("-READONLY You can't write against a read only replica.\r\n")
                    : .reply(":1\r\n")
            }
            let client = server.client()
            let first = await failure { try await client.send("INCR", "a") }
            let second = try await client.send("INCR", "a").integer
            let open = server.open
            client.close()
            return (first, second, open)
        }

        expectEqual(first, .refused)
        expectEqual(second, 1)
        expectEqual(open, 1)
    }

    @Test("ends a connection whose replies cannot be read")
    func malformed() async throws {
        let (code, open) = try await onEverySeed(0..<5) { simulation in
            let server = ScriptedRedis(simulation.runtime) { command, _ in
                command[0] == "HELLO" ? .silence : .reply("HTTP/1.1 400 Bad Request\r\n")
            }
            let client = server.client()
            let code = await failure { try await client.ping() }
            return (code, server.open)
        }

        expectEqual(code, .outcomeUnknown)
        expectEqual(open, 0)
    }

    @Test("a closed client fails what is in flight and what comes later")
    func closing() async throws {
        let (inFlight, later, open) = try await onEverySeed { simulation in
            let server = ScriptedRedis(simulation.runtime) { _, _ in .silence }
            let client = server.client()
            let task = Task.child(in: simulation) {
                await failure { _ = try await client.send("GET", "a") }
            }
            try await simulation.runtime.sleep(for: .milliseconds(100))
            client.close()
            let inFlight = try await task.value
            let later = await failure { _ = try await client.send("GET", "a") }
            return (inFlight, later, server.open)
        }

        expectEqual(inFlight, .outcomeUnknown)
        expectEqual(later, .closed)
        expectEqual(open, 0)
    }

    private func echo(_ runtime: Runtime) -> ScriptedRedis {
        ScriptedRedis(runtime) { command, _ in
            command[0] == "HELLO"
                ? .silence : .reply("$\(command[1].utf8.count)\r\n\(command[1])\r\n")
        }
    }
}
#endif
