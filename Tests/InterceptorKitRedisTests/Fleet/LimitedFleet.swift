#if Redis
import BoundedWaits
import Foundation
import InterceptorKit

/// Processes that offer calls under one shared limit, each with connections of its own.
struct LimitedFleet {
    static let program = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "FleetWorker").path

    static let isBuilt = FileManager.default.isExecutableFile(atPath: program)

    /// What became of the calls of all processes.
    struct Result {
        var failed = 0
        /// When calls were refused, in seconds since 1970.
        var refusals: [Double] = []
        /// When calls were admitted, in seconds since 1970.
        var admissions: [Double] = []
        /// When the first call was made, and when a process made its last one.
        var first = Double.infinity
        var end = Double.infinity

        var offered: Int { admissions.count + refusals.count + failed }
        /// From the first call to the last admission.
        var seconds: Double { (admissions.max() ?? first) - first }

        /// The admissions a second, from when the burst is used up until a process has made its last call.
        func rate(after start: Double) -> Double {
            let begin = first + start
            return Double(admissions.count { $0 > begin && $0 <= end }) / (end - begin)
        }
    }

    struct Failure: Error {
        var said: [String]
    }

    let url: String
    let processes: Int
    let count: Int
    let burst: Int

    /// Offers a multiple of the limit for some time.
    func offer(_ share: Double, for seconds: Double) async throws -> Result {
        // All of them have started by then.
        let start = Date().timeIntervalSince1970 + 1.5
        let workers = try (0..<processes).map { _ in
            try Worker([
                "limit", url, "\(count)/\(burst)/\(processes)", "\(start)",
                "\(share * Double(count) / Double(processes))", "\(seconds)",
            ])
        }
        defer { for worker in workers { worker.kill() } }
        for worker in workers { try await worker.ended.wait(within: .seconds(60)) { !$0.isEmpty } }
        let lines = workers.map(\.said)
        return try lines.reduce(into: Result()) { result, line in
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            guard numbers.count >= 4, numbers.count >= 4 + Int(numbers[0]) else {
                throw Failure(said: lines)
            }
            result.failed += Int(numbers[1])
            result.first = min(result.first, numbers[2])
            result.end = min(result.end, numbers[3])
            result.refusals += numbers[4...].prefix(Int(numbers[0]))
            result.admissions += numbers[4...].dropFirst(Int(numbers[0]))
        }
    }
}

/// A process, whose one line is in a file.
private final class Worker {
    let ended = EventLog<Void>()
    private let process = Process()
    private let output = FileManager.default.temporaryDirectory
        .appending(path: "interceptorkit-fleet-\(UUID().uuidString)")

    init(_ arguments: [String]) throws {
        try Data().write(to: output)
        process.executableURL = URL(fileURLWithPath: LimitedFleet.program)
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.terminationHandler = { [ended] _ in ended.note(()) }
        try process.run()
    }

    deinit { try? FileManager.default.removeItem(at: output) }

    var said: String {
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }
}
#endif
