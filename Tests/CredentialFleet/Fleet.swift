import Foundation
public import InterceptorKit

/// Processes that share one credential through a store, some of which are killed while they renew it.
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
    let workers: Int
    let calls: Int
    let server: TokenServer

    /// - Parameters:
    ///   - store: The store.
    ///   - arguments: Tell a worker how to open it.
    ///   - workers: How many processes.
    ///   - calls: How many calls each makes.
    ///   - server: What they call.
    public init(
        store: any CredentialStore,
        arguments: [String],
        workers: Int = 8,
        calls: Int = 200,
        server: TokenServer
    ) {
        self.store = store
        self.arguments = arguments
        self.workers = workers
        self.calls = calls
        self.server = server
    }

    /// Runs the processes to their end, and signs in whenever one was killed and another has been told.
    /// - Parameter limit: How long they may take.
    public func run(limit: Duration = .seconds(180)) async throws -> FleetReport {
        try await signIn()
        let processes = try (0..<workers).map { _ in try start() }
        defer {
            for process in processes where process.isRunning {
                kill(process.processIdentifier, SIGKILL)
            }
        }
        let deadline = Runtime.live.now.advanced(by: limit)
        while processes.contains(where: \.isRunning) {
            let facts = server.facts
            // One for each that was killed, besides the first, once another process has noticed.
            if facts.killed.count >= facts.signIns, facts.problemsSinceKill > 0 {
                try await signIn()
            }
            guard Runtime.live.now < deadline else {
                throw Failure(reason: "The fleet came to no end: \(facts)")
            }
            try await Runtime.live.sleep(for: .milliseconds(10))
        }
        var report = server.facts
        report.finished = processes.filter {
            $0.terminationReason == .exit && $0.terminationStatus == 0
        }.map { "\($0.processIdentifier)" }
        return report
    }

    private func signIn() async throws {
        let credential = server.signIn()
        while true {
            let version = try await store.load()?.version
            if try await store.save(credential, over: version) != nil { return }
        }
    }

    private func start() throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = arguments + ["\(server.origin)", "\(calls)"]
        try process.run()
        return process
    }
}
