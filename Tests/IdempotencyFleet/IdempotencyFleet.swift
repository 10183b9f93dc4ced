import BoundedWaits
import Foundation
import InterceptorKit

/// What a fleet of replicas did.
public struct IdempotencyFleetReport: Sendable {
    /// How many requests the replicas took.
    public internal(set) var requests = 0
    /// How many orders were made and their responses repeated.
    public internal(set) var orders = 0
    /// How many replicas were killed.
    public internal(set) var kills = 0
    /// How often the store was ended and started again.
    public internal(set) var restarts = 0
    /// How many responses were recorded beyond the first of an order.
    public internal(set) var recordedTwice = 0
    /// How many transactions there were beyond the first of a token, which no database could tell from the first.
    public internal(set) var effectsTwice = 0
    /// How often an order was in progress longer than a lease.
    public internal(set) var stuck = 0
    /// How often which status was returned.
    public internal(set) var statuses: [String: Int] = [:]
    /// What replicas wrote that ended with an error.
    public internal(set) var failures: [String] = []

    /// One line for a log.
    public var summary: String {
        "fleet idempotency: \(requests) requests, \(kills) kills, \(recordedTwice) recorded twice, "
            + "\(effectsTwice) effects twice, \(stuck) stuck"
    }
}

/// Processes that make orders through one store. One that is killed is replaced.
public struct IdempotencyFleet: Sendable {
    /// The worker's program, which is built beside the tests.
    public static let program = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "IdempotencyWorker").path

    public static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program) }

    public struct Failure: Error {
        public var reason: String
    }

    private let arguments: [String]
    private let kills: Int
    private let restarts: Int
    private let restart: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - arguments: Tell a replica how to open the store.
    ///   - kills: How many replicas are killed; a few more may be, which are about to be.
    ///   - restarts: How often the store is ended and started again, spread over the kills.
    ///   - restart: Ends the store as a crash does, and starts it.
    public init(
        arguments: [String],
        kills: Int,
        restarts: Int = 0,
        restart: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.arguments = arguments
        self.kills = kills
        self.restarts = restarts
        self.restart = restart
    }

    /// Runs until so many replicas were killed and each order has come to its response.
    /// - Parameter limit: How long nothing may happen.
    public func run(limit: Duration = .seconds(60)) async throws -> IdempotencyFleetReport {
        let server = try OrderServer(deaths: kills)
        var running = try (0..<4).map { _ in try Worker(self.arguments, server) }
        defer { for worker in running { worker.kill() } }
        var (killed, restarted) = (0, 0)
        var failures: [String] = []
        while !running.isEmpty {
            let changes = server.changes.entries.count
            for (index, worker) in running.enumerated().reversed() where worker.hasEnded {
                running.remove(at: index)
                if worker.wasKilled {
                    killed += 1
                    server.noteKill(of: worker.id)
                    running.append(try Worker(arguments, server))
                } else if !worker.hasSucceeded {
                    failures.append(worker.said)
                }
            }
            if restarted < restarts, killed * (restarts + 1) > kills * (restarted + 1) {
                restarted += 1
                try await restart()
            }
            guard !running.isEmpty else { break }
            do {
                try await server.changes.wait(within: limit) { $0.count > changes }
            } catch is WaitTimedOut {
                throw Failure(reason: "The fleet came to no end: \(server.report)")
            }
        }
        var report = server.report
        report.restarts = restarted
        report.failures = failures
        return report
    }
}

/// A process of a fleet.
private final class Worker: Sendable {
    private let process = Process()
    private let ending = EventLog<Void>()
    private let output = Pipe()

    init(_ arguments: [String], _ server: OrderServer) throws {
        process.executableURL = URL(fileURLWithPath: IdempotencyFleet.program)
        process.arguments = arguments + ["\(server.origin)"]
        process.standardError = output
        process.terminationHandler = { [ending, changes = server.changes] _ in
            ending.note(())
            changes.note(())
        }
        try process.run()
    }

    var id: pid_t { process.processIdentifier }

    var hasEnded: Bool { !ending.entries.isEmpty }

    var wasKilled: Bool {
        process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }

    var hasSucceeded: Bool {
        process.terminationReason == .exit && process.terminationStatus == 0
    }

    /// What an ended process wrote to standard error.
    var said: String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }
}
