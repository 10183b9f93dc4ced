import Foundation
import InterceptorKit

/// A process of the program that fills a store, which is built beside the tests.
final class FillingProcess {
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "CacheFiller").path

    static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private let process = Process()

    init(_ arguments: [String], output: Pipe? = nil) throws {
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = arguments
        if let output { process.standardOutput = output }
        try process.run()
    }

    deinit { kill() }

    /// What it prints until it ends.
    static func output(_ arguments: [String]) async throws -> String {
        let pipe = Pipe()
        let process = try FillingProcess(arguments, output: pipe)
        try await process.end()
        return String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    }

    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    var wasKilled: Bool {
        process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }

    var isRunning: Bool { process.isRunning }

    func end() async throws {
        while process.isRunning { try await Runtime.live.sleep(for: .milliseconds(1)) }
    }
}
