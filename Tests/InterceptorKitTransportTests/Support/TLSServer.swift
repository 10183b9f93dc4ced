import Expectations
import Foundation
import Testing

/// `openssl s_server` on a free port of 127.0.0.1.
final class TLSServer: Sendable {
    enum Certificate: String, Sendable {
        case selfSigned, wrongName, expired

        var name: String { self == .wrongName ? "DNS:example.com" : "IP:127.0.0.1" }
        var days: String { self == .expired ? "-1" : "2" }
    }

    static let isAvailable = FileManager.default.isExecutableFile(atPath: openssl)
    private static let openssl = "/usr/bin/openssl"

    let port: Int
    private let folder: TemporaryFolder
    private let process: Process

    private init(port: Int, folder: TemporaryFolder, process: Process) {
        self.port = port
        self.folder = folder
        self.process = process
    }

    deinit { stop() }

    // Threads of a pool block SIGTERM, and their children inherit that.
    func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    static func start(_ certificate: Certificate) async throws -> TLSServer {
        let folder = try TemporaryFolder()
        let (key, signed) = (folder.path + "/key", folder.path + "/certificate")
        let request = folder.path + "/request"
        let extensions = try folder.file(
            "extensions",
            Data("subjectAltName=\(certificate.name)".utf8)
        )
        try make(
            ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test"]
                + ["-keyout", key, "-out", request]
        )
        try make(
            ["x509", "-req", "-in", request, "-signkey", key, "-days", certificate.days]
                + ["-extfile", extensions, "-out", signed]
        )
        let serving = try run([
            "s_server", "-accept", "127.0.0.1:0", "-www", "-key", key, "-cert", signed,
        ])
        let port = try unwrap(port(in: serving.output))
        return TLSServer(port: port, folder: folder, process: serving.process)
    }

    private static func make(_ arguments: [String]) throws {
        let making = try run(arguments)
        making.process.waitUntilExit()
        try requireEqual(making.process.terminationStatus, 0)
    }

    private static func run(_ arguments: [String]) throws -> (process: Process, output: FileHandle)
    {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: openssl)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = Pipe()
        try process.run()
        return (process, output.fileHandleForReading)
    }

    /// From the line `ACCEPT 127.0.0.1:45678`.
    private static func port(in output: FileHandle) throws -> Int? {
        var text = ""
        while let bytes = try output.read(upToCount: 1), !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
            guard text.hasSuffix("\n") else { continue }
            let line = text.split(separator: "\n").last ?? ""
            if line.hasPrefix("ACCEPT"), let colon = line.lastIndex(of: ":") {
                return Int(line[line.index(after: colon)...])
            }
        }
        return nil
    }
}
