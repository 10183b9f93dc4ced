import BoundedWaits
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitCurl
import Synchronization

/// An etcd of one member on free ports of 127.0.0.1.
final class EtcdServer: Sendable {
    static let program = ["/usr/bin/etcd", "/usr/local/bin/etcd", "/opt/homebrew/bin/etcd"]
        .first(where: FileManager.default.isExecutableFile)

    static var isInstalled: Bool { program != nil }

    struct DidNotStart: Error {}

    let url: HTTP.URL
    private let process: Lock<Process>
    private let port: Int
    private let folder: URL

    init() async throws {
        let isInMemory = FileManager.default.isWritableFile(atPath: "/dev/shm")
        let base = isInMemory ? "/dev/shm" : FileManager.default.temporaryDirectory.path
        // Some of the ports may be in use.
        for _ in 0..<20 {
            // Below those that are given to the code that binds port 0, as all other tests do.
            let port = Int.random(in: 10_000..<32_000)
            let folder = URL(fileURLWithPath: "\(base)/interceptorkit-etcd-\(UUID().uuidString)")
            let url = HTTP.URL("http://127.0.0.1:\(port)")
            if let process = try await Self.launch(port, url, folder) {
                self.process = Lock(process)
                self.port = port
                self.url = url
                self.folder = folder
                return
            }
            try? FileManager.default.removeItem(at: folder)
        }
        throw DidNotStart()
    }

    deinit { stop() }

    /// Ends it as a crash would.
    func stop() {
        end()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends it as a crash would, and starts it with what it had written.
    func restart() async throws {
        end()
        guard let started = try await Self.launch(port, url, folder) else { throw DidNotStart() }
        process.withLock { $0 = started }
    }

    private func end() {
        process.withLock { process in
            // Not by SIGTERM, which a process started from a dispatch thread inherits blocked.
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    func pipeline() throws -> Pipeline<HTTP.Request> {
        try Pipeline(transport: CurlTransport()) {}
    }

    private static func launch(
        _ port: Int,
        _ url: HTTP.URL,
        _ folder: URL
    ) async throws -> Process? {
        let peer = "http://127.0.0.1:\(port + 1)"
        let process = Process()
        process.executableURL = program.map(URL.init(fileURLWithPath:))
        process.arguments = [
            "--name", "one", "--data-dir", folder.path, "--listen-client-urls", url.text,
            "--advertise-client-urls", url.text, "--listen-peer-urls", peer,
            "--initial-advertise-peer-urls", peer, "--initial-cluster", "one=\(peer)",
            // A leader at once, and leases of a second: without peers nothing is lost by short ticks.
            "--heartbeat-interval", "20", "--election-timeout", "200",
        ]
        let log = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = log
        let lines = ChildLines(log)
        try process.run()
        // What 3.4 says, and later ones. Until then it has a leader and listens; the response to the
        // first request waits for the rest.
        let serves = try await lines.contain {
            $0.contains("serving insecure client requests") || $0.contains("serving client traffic")
        }
        if serves {
            let health = try Pipeline<HTTP.Request>(transport: CurlTransport()) {}
            let call = Call().withDeadline(within: .seconds(10))
            let answer = try? await health.run(.get("\(url)/health"), call: call)
            if answer?.status == 200 { return process }
        }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        return nil
    }
}
