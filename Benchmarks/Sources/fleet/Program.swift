import Foundation
import InterceptorKitRedis
import InterceptorKitSharedState
import ProcessFigures
import Reporting

/// Compares decisions of a shared rate limit with what redis-benchmark reaches by the same command, over as many
/// connections with as many commands in flight: `fleet [rounds]`.
@main
struct Program {
    private struct Load {
        let connections: Int
        let inFlight: Int

        var name: String { "\(connections) connections, \(inFlight) in flight on each" }
    }

    private static let quota = RateLimitQuota(1_000_000, burst: 1_000_000)
    private static let decisions = 60_000

    static func main() async {
        await runProgram {
            let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 7
            try await compare(rounds)
        }
    }

    private static func compare(_ rounds: Int) async throws {
        let server = try await RedisProcess()
        let command = try await sentCommand(server)
        let loads = [
            Load(connections: 4, inFlight: 16), Load(connections: 2, inFlight: 50),
            Load(connections: 1, inFlight: 1),
        ]
        var table = Table([
            "decisions/s", "InterceptorKit", "redis-benchmark", "ratio", "processor us",
            "decisions a read",
        ])
        var first: Double?
        for load in loads {
            let count = load.inFlight == 1 ? decisions / 6 : decisions
            var ours: [Run] = []
            var theirs: [Double] = []
            for _ in 0..<rounds {
                ours.append(try await run(of: count, load, server))
                theirs.append(try reference(count, load, command, server))
            }
            // Of neighbours in time, since what else runs on the machine changes.
            let ratio = zip(ours, theirs).map { $0.rate / $1 }.median
            first = first ?? ratio
            table.append([
                load.name, ours.map(\.rate).median.text(digits: 0), theirs.median.text(digits: 0),
                ratio.text(digits: 2), ours.map(\.processor).median.text(digits: 1),
                ours.map(\.batch).median.text(digits: 1),
            ])
        }
        print(table)
        print(
            "commands a decision: \(try await commandsOfDecision(server).text(digits: 3)) (goal 1)"
        )
        print(
            "fleet decisions to redis-benchmark: \((first ?? .nan).text(digits: 2)) (goal >= 0.70)"
        )
    }

    private struct Run {
        /// Decisions a second.
        var rate: Double
        /// Microseconds of this process's processor time for each.
        var processor: Double
        /// Decisions that the server reads at once.
        var batch: Double
    }

    private static func run(
        of count: Int,
        _ load: Load,
        _ server: RedisProcess
    ) async throws -> Run {
        let client = try client(of: load.connections, server)
        defer { client.close() }
        let store = RedisRateLimitStore(client)
        let tasks = load.connections * load.inFlight
        try await decide(tasks * 4, by: tasks, store)
        let reads = try statistic("total_reads_processed", server)
        let before = ProcessUsage.current()
        let start = ContinuousClock.now
        try await decide(count, by: tasks, store)
        let time = start.duration(to: .now).inSeconds
        let processor = ProcessUsage.current().since(before).processorSeconds
        let batches = try statistic("total_reads_processed", server) - reads
        return Run(
            rate: Double(count) / time,
            processor: processor / Double(count) * 1_000_000,
            batch: Double(count) / Double(max(1, batches))
        )
    }

    private static func statistic(_ name: String, _ server: RedisProcess) throws -> Int {
        let said = try server.run("redis-cli", ["info", "stats"])
        let line = said.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(name):") }
        return line?.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }

    private static func decide(
        _ count: Int,
        by tasks: Int,
        _ store: RedisRateLimitStore
    ) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<tasks {
                group.addTask {
                    for _ in 0..<(count / tasks) {
                        _ = try await store.take(1, of: quota, for: "fleet", waitingAtMost: .zero)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Requests a second of redis-benchmark.
    private static func reference(
        _ count: Int,
        _ load: Load,
        _ command: [String],
        _ server: RedisProcess
    ) throws -> Double {
        let options = [
            "-c", "\(load.connections)", "-P", "\(load.inFlight)", "-n", "\(count)", "--csv",
        ]
        let said = try server.run("redis-benchmark", options + command)
        // The last line: the test in quotes, and then the requests a second.
        let fields = said.split(whereSeparator: \.isNewline).last?.components(separatedBy: "\",\"")
        guard let fields, fields.count > 1, let rate = Double(fields[1]) else {
            throw RedisProcess.NotStarted(description: "redis-benchmark said: \(said)")
        }
        return rate
    }

    /// The words of the command that a decision sends, from the server's log of commands.
    private static func sentCommand(_ server: RedisProcess) async throws -> [String] {
        let client = try client(of: 1, server)
        defer { client.close() }
        let store = RedisRateLimitStore(client)
        try await decide(2, by: 1, store)
        _ = try server.run("redis-cli", ["config", "set", "slowlog-log-slower-than", "0"])
        try await decide(1, by: 1, store)
        _ = try server.run("redis-cli", ["config", "set", "slowlog-log-slower-than", "-1"])
        let log = try server.run("redis-cli", ["slowlog", "get", "10"])
        let lines = log.split(whereSeparator: \.isNewline).map(String.init)
        guard let start = lines.firstIndex(of: "EVALSHA"), lines.count > start + 7 else {
            throw RedisProcess.NotStarted(description: "The server logged no decision: \(log)")
        }
        return Array(lines[start..<(start + 8)])
    }

    private static func commandsOfDecision(_ server: RedisProcess) async throws -> Double {
        let client = try client(of: 1, server)
        defer { client.close() }
        let store = RedisRateLimitStore(client)
        try await decide(1, by: 1, store)
        let before = try commands(server)
        try await decide(1000, by: 10, store)
        return Double(try commands(server) - before) / 1000
    }

    /// The commands that clients sent; those of scripts, which are none, are of other kinds.
    private static func commands(_ server: RedisProcess) throws -> Int {
        let said = try server.run("redis-cli", ["info", "commandstats"])
        let counts = said.split(whereSeparator: \.isNewline).compactMap { line -> Int? in
            guard line.hasPrefix("cmdstat_eval") else { return nil }
            return line.components(separatedBy: ":calls=").last
                .flatMap { Int($0.prefix { $0.isNumber }) }
        }
        return counts.reduce(0, +)
    }

    private static func client(of connections: Int, _ server: RedisProcess) throws -> RedisClient {
        var settings = RedisSettings(host: "127.0.0.1", port: server.port)
        settings.connections = connections
        settings.timeout = .seconds(10)
        return try RedisClient(settings)
    }
}
