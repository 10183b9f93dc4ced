import BoundedWaits
import Foundation
import InterceptorKit
import InterceptorKitCaching
import TestSupport

/// A process of the program that fills a store, which is built beside the tests.
final class FillingProcess {
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "CacheFiller").path

    static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private let process = Process()
    private let output = Pipe()
    private let ending = AsyncStream.makeStream(of: Void.self)

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = arguments
        process.standardOutput = output
        process.terminationHandler = { [ending] _ in ending.continuation.finish() }
        try process.run()
    }

    deinit { kill() }

    /// What it prints until it ends.
    static func output(_ arguments: [String]) async throws -> String {
        let process = try FillingProcess(arguments)
        await process.end()
        return String(
            decoding: process.output.fileHandleForReading.availableData,
            as: UTF8.self
        )
    }

    /// Returns when it has printed so many lines, or has ended.
    func wait(forLines count: Int) async throws {
        try await ChildLines(output).wait(for: count)
    }

    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    var wasKilled: Bool {
        process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }

    /// Returns when it has ended.
    func end() async { for await _ in ending.stream {} }
}
