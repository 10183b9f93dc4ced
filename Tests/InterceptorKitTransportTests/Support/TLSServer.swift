import Expectations
import Foundation
import Testing

/// `openssl s_server` on a free port of 127.0.0.1.
final class TLSServer: Sendable {
    enum Certificate: String, Sendable {
        case selfSigned, wrongName, expired

        var name: String { self == .wrongName ? "DNS:example.com" : "IP:127.0.0.1" }
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
        if certificate == .expired {
            try sign(request, with: key, in: folder, to: signed)
        } else {
            try make(
                ["x509", "-req", "-in", request, "-signkey", key, "-days", "2"]
                    + ["-extfile", extensions, "-out", signed]
            )
        }
        let serving = try run([
            "s_server", "-accept", "127.0.0.1:0", "-www", "-key", key, "-cert", signed,
        ])
        let port = try unwrap(port(in: serving.output))
        return TLSServer(port: port, folder: folder, process: serving.process)
    }

    // By `ca`, since `x509` of OpenSSL 3.5 takes no validity that is over, and older ones no dates.
    private static func sign(
        _ request: String,
        with key: String,
        in folder: TemporaryFolder,
        to signed: String
    ) throws {
        let lines = [
            "[ca]", "default_ca=own", "[own]", "database=\(try folder.file("index", Data()))",
            "serial=\(try folder.file("number", Data("01\n".utf8)))",
            "new_certs_dir=\(folder.path)", "default_md=sha256", "policy=any",
            "x509_extensions=here",
            "[any]", "commonName=supplied", "[here]", "subjectAltName=IP:127.0.0.1", "",
        ]
        let settings = try folder.file("settings", Data(lines.joined(separator: "\n").utf8))
        try make(
            ["ca", "-batch", "-notext", "-config", settings, "-selfsign", "-keyfile", key]
                + ["-in", request, "-startdate", "20200101000000Z"]
                + ["-enddate", "20200102000000Z", "-out", signed]
        )
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
