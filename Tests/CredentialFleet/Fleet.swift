import BoundedWaits
import Foundation
public import InterceptorKit
import InterceptorKitAuthentication

/// Processes that share one credential through a store. Where one is killed another takes its place and
/// does what is left of its load.
public struct Fleet: Sendable {
    /// The worker's program, which is built beside the tests.
    public static let program = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "CredentialWorker").path

    public static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program) }

    public struct Failure: Error {
        public var reason: String
    }

    let store: any CredentialStore
    let arguments: [String]
    let deaths: [Death]
    let server: TokenServer

    /// - Parameters:
    ///   - store: The store.
    ///   - arguments: Tell a worker how to open it.
    ///   - deaths: When the first workers end themselves, in order; none others do.
    ///   - server: What they call, which knows how many they are and how often each is served.
    public init(
        store: any CredentialStore,
        arguments: [String],
        deaths: [Death] = [],
        server: TokenServer
    ) {
        self.store = store
        self.arguments = arguments
        self.deaths = deaths
        self.server = server
    }

    /// Runs until the whole load is done, and signs in whenever a refresh token was lost with a process
    /// and another has been told.
    /// - Parameter limit: How long it may take.
    public func run(limit: Duration = .seconds(180)) async throws -> FleetReport {
        try await signIn()
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "interceptorkit-fleet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var running = try (0..<server.load.workers).map { slot in
            try Worker(slot, dying: slot < deaths.count ? deaths[slot] : nil, of: self, in: folder)
        }
        defer { for worker in running { worker.kill() } }
        var ends: [FleetReport.End] = []
        let deadline = Runtime.live.now.advanced(by: limit)
        while !running.isEmpty {
            let changes = server.changes.entries.count
            let facts = server.facts
            // One for each loss, besides the first, once another process has noticed.
            if facts.killed.count >= facts.signIns, facts.problemsSinceKill > 0 {
                try await signIn()
            }
            for worker in running where worker.hasEnded {
                running.removeAll { $0.slot == worker.slot }
                let end = worker.end
                ends.append(end)
                if end.wasKilled {
                    running.append(try Worker(worker.slot, dying: nil, of: self, in: folder))
                }
            }
            guard !running.isEmpty else { break }
            do {
                let left = Runtime.live.now.duration(to: deadline)
                try await server.changes.wait(within: left) { $0.count > changes }
            } catch is WaitTimedOut {
                throw Failure(reason: "The fleet came to no end: \(server.facts), \(ends)")
            }
        }
        var report = server.facts
        report.ends = ends
        return report
    }

    private func signIn() async throws {
        let credential = server.signIn()
        while true {
            let version = try await store.load()?.version
            if try await store.save(credential, over: version) != nil { return }
        }
    }
}

/// When a worker ends itself during its second refresh, at moments at which nothing is lost.
public enum Death: String, Sendable {
    /// It holds the store's lock and has done nothing else.
    case locked
    /// It has saved the refreshed credential and still holds the lock.
    case saved
}

/// A process of a fleet. What it says before it ends is in a file, which never fills up.
private final class Worker {
    let slot: Int
    private let process = Process()
    private let said: URL
    private let ending = EventLog<Void>()

    init(_ slot: Int, dying death: Death?, of fleet: Fleet, in folder: URL) throws {
        self.slot = slot
        said = folder.appending(path: UUID().uuidString)
        guard FileManager.default.createFile(atPath: said.path, contents: nil) else {
            throw Fleet.Failure(reason: "\(said.path) cannot be created")
        }
        process.executableURL = URL(fileURLWithPath: Fleet.program)
        process.arguments =
            fleet.arguments + ["\(fleet.server.origin)", "\(slot)", death?.rawValue ?? "never"]
        process.standardError = try FileHandle(forWritingTo: said)
        process.terminationHandler = { [ending, changes = fleet.server.changes] _ in
            ending.note(())
            changes.note(.end)
        }
        try process.run()
    }

    var hasEnded: Bool { !ending.entries.isEmpty }

    var end: FleetReport.End {
        FleetReport.End(
            worker: slot,
            wasKilled: process.terminationReason == .uncaughtSignal
                && process.terminationStatus == SIGKILL,
            status: process.terminationStatus,
            said: (try? String(contentsOf: said, encoding: .utf8)) ?? ""
        )
    }

    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }
}
