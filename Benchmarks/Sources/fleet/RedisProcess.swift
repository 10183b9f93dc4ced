import Foundation

/// A redis-server of this program's own, and the programs that come with it.
final class RedisProcess {
    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    let port: Int
    private let process = Process()

    init() async throws {
        guard let program = Self.path("redis-server") else {
            throw NotStarted(description: "redis-server is not installed (Debian: redis-server).")
        }
        port = Int.random(in: 10_000..<32_000)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var said = ""
        while !said.contains("Ready to accept connections") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else {
                throw NotStarted(description: "redis-server ended: \(said)")
            }
            said += String(decoding: data, as: UTF8.self)
        }
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Runs one of its programs, and returns what that says.
    func run(_ program: String, _ arguments: [String]) throws -> String {
        guard let path = Self.path(program) else {
            throw NotStarted(description: "\(program) is not installed (Debian: redis-tools).")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-p", "\(port)"] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    private static func path(_ program: String) -> String? {
        ["/usr/bin/\(program)", "/usr/local/bin/\(program)", "/opt/homebrew/bin/\(program)"]
            .first(where: FileManager.default.isExecutableFile)
    }
}
