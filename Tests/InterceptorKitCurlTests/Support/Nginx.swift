import BoundedWaits
import Foundation
import InterceptorKit
import InterceptorKitTesting

/// An nginx on free ports of 127.0.0.1, with TLS in several states of repair.
final class Nginx: Sendable {
    static let program = "/usr/sbin/nginx"

    static var isInstalled: Bool {
        [program, Certificates.openssl].allSatisfy(FileManager.default.isExecutableFile)
    }

    enum Site: Int, CaseIterable {
        case plain, prior, good, otherName, expired, selfSigned, clientWanted, shortLived
    }

    /// The content of `/large`, which is nowhere the same, so that foreign bytes show.
    static let large = Data(
        (0..<UInt32(750_000)).flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    )

    struct DidNotStart: Error {
        var reason: String
    }

    let certificates: Certificates
    private let ports: [Int]
    private let process: Process

    // Its name is short enough for a socket's path.
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "InterceptorKitCurl-\(UUID().uuidString)")

    /// How often `/posted` was executed, by the query that it was sent with.
    func executions() throws -> [String: Int] {
        let log = try String(contentsOf: folder.appending(path: "posted"), encoding: .utf8)
        return log.split(separator: "\n").reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    var socketPath: String { folder.appending(path: "socket").path }

    init() async throws {
        certificates = try await Certificates.shared.value
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.large.write(to: folder.appending(path: "large"))
        try Data("small".utf8).write(to: folder.appending(path: "small"))
        // Some of the ports may be in use.
        for _ in 0..<20 {
            let ports = Self.somePorts()
            let configuration = NginxConfiguration(
                ports: ports,
                folder: folder,
                certificates: certificates
            )
            if let process = try await Self.launch(configuration, in: folder) {
                self.process = process
                self.ports = ports
                return
            }
        }
        let reason = try? String(contentsOf: folder.appending(path: "error"), encoding: .utf8)
        throw DidNotStart(reason: reason ?? "")
    }

    deinit {
        // Not by SIGTERM, which a process started from a dispatch thread inherits blocked.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ site: Site, _ path: String = "/") -> HTTP.URL {
        let scheme = site == .plain || site == .prior ? "http" : "https"
        let text: String = "\(scheme)://127.0.0.1:\(ports[site.rawValue])\(path)"
        return HTTP.URL(unvalidated: text)
    }

    // Below those that are given to the code that binds port 0, as all other tests do; nginx cannot.
    private static func somePorts() -> [Int] {
        let first = Int.random(in: 10_000..<32_000)
        return Site.allCases.indices.map { first + $0 }
    }

    private static func launch(
        _ configuration: NginxConfiguration,
        in folder: URL
    ) async throws -> Process? {
        let file = folder.appending(path: "nginx.conf").path
        try configuration.text.write(toFile: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["-p", folder.path, "-c", file, "-e", "error"]
        let log = Pipe()
        process.standardError = log
        let lines = ChildLines(log)
        try process.run()
        // Said when every port is listened on.
        return try await lines.contain { $0.contains(" event method") } ? process : nil
    }
}
