import Foundation

/// A program that is run to its end.
struct Subprocess: Sendable {
    /// A program that failed, or that is not there.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let path: String
    private let name: String

    /// A program at a path.
    init(path: String) {
        self.path = path
        name = URL(fileURLWithPath: path).lastPathComponent
    }

    /// A program of `PATH`.
    init(named name: String) throws {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let paths = folders.split(separator: ":").map { "\($0)/\(name)" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
            throw Failure(description: "there is no \(name)")
        }
        self.init(path: path)
    }

    /// This program.
    static func itself() throws -> Subprocess {
        guard let path = Bundle.main.executablePath else {
            throw Failure(description: "this program does not know its own path")
        }
        return Subprocess(path: path)
    }

    /// The same program, with its arguments behind those of one that runs it.
    func run(by other: Subprocess, _ options: [String], _ arguments: [String]) throws -> String {
        try other.run(options + [path] + arguments)
    }

    /// Runs the program and waits for it.
    /// - Parameters:
    ///   - arguments: What it is told.
    ///   - folder: Where it runs. Defaults to the folder of this process.
    ///   - environment: Variables beside those of this process. Defaults to none.
    ///   - limit: The longest that it may take, in seconds. Defaults to two minutes.
    /// - Returns: What it printed, with its errors.
    /// - Throws: ``Failure`` with the error that it printed.
    @discardableResult
    func run(
        _ arguments: [String],
        in folder: URL? = nil,
        environment: [String: String] = [:],
        limit: Double = 120
    ) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let end = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: end)
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        end.cancel()
        let text = String(decoding: bytes, as: UTF8.self)
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Failure(description: "\(name) failed: \(Subprocess.reason(in: text))")
        }
        return text
    }

    private static func reason(in text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        let line = lines.first { $0.contains("error") || $0.contains("panicked") } ?? lines.last
        return line.map(String.init) ?? "it printed nothing, or took too long"
    }
}
