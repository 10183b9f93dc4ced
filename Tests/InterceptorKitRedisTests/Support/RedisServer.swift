#if Redis
import BoundedWaits
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitRedis
import Synchronization

/// A redis-server on a free port of 127.0.0.1, with its data in a folder of its own.
final class RedisServer: Sendable {
    static let program = program("redis-server")
    static let isInstalled = program != nil
    static let reason = "redis-server is not installed (Debian: redis-server)"

    struct DidNotStart: Error {}

    let port: Int
    private let folder: URL
    private let arguments: [String]
    private let process: Lock<Process?>

    /// Starts one.
    /// - Parameters:
    ///   - keepsData: Whether it has an append-only file, which outlasts its process.
    ///   - certificate: The certificate that it speaks TLS with. Defaults to none, and no TLS.
    ///   - settings: More settings, as in its command line.
    init(
        keepsData: Bool = false,
        certificate: TestCertificate? = nil,
        _ settings: [String] = []
    ) async throws {
        let isInMemory = FileManager.default.isWritableFile(atPath: "/dev/shm")
        let base = isInMemory ? "/dev/shm" : FileManager.default.temporaryDirectory.path
        for _ in 0..<20 {
            // Below those that are given to the code that binds port 0, as all other tests do.
            let port = Int.random(in: 10_000..<32_000)
            let folder = URL(fileURLWithPath: "\(base)/interceptorkit-redis-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let arguments =
                Self.listening(on: port, certificate) + [
                    "--bind", "127.0.0.1", "--dir", folder.path, "--save", "",
                    "--appendonly", keepsData ? "yes" : "no",
                ] + settings
            if let process = try await Self.launch(arguments) {
                self.process = Lock(process)
                (self.port, self.folder, self.arguments) = (port, folder, arguments)
                return
            }
            try? FileManager.default.removeItem(at: folder)
        }
        throw DidNotStart()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    var url: String { "redis://127.0.0.1:\(port)" }

    func client(_ change: (inout RedisSettings) -> Void = { _ in }) throws -> RedisClient {
        // A server that shares a processor with a whole test run may take its time.
        var settings = RedisSettings(host: "127.0.0.1", port: port)
        settings.timeout = .seconds(5)
        change(&settings)
        return try RedisClient(settings)
    }

    /// Ends it as a crash would, and waits for its end.
    func kill() {
        guard let process = process.withLock({ $0.take() }), process.isRunning else { return }
        // Not by SIGTERM, which a process started from a dispatch thread inherits blocked.
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Stops its process without ending it, so that it accepts connections and says nothing.
    func pause() { signal(SIGSTOP) }

    func resume() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        process.withLock { process in
            if let process { Foundation.kill(process.processIdentifier, number) }
        }
    }

    /// Ends it as a crash would, and starts it again on the same port with what it kept.
    func restart() async throws {
        kill()
        for _ in 0..<20 {
            if let process = try await Self.launch(arguments) {
                self.process.withLock { $0 = process }
                return
            }
        }
        throw DidNotStart()
    }

    private static func listening(on port: Int, _ certificate: TestCertificate?) -> [String] {
        guard let certificate else { return ["--port", "\(port)"] }
        return [
            "--port", "0", "--tls-port", "\(port)", "--tls-auth-clients", "no",
            "--tls-cert-file", certificate.certificate, "--tls-key-file", certificate.key,
            "--tls-ca-cert-file", certificate.certificate,
        ]
    }

    private static func launch(_ arguments: [String]) async throws -> Process? {
        let process = Process()
        process.executableURL = program.map(URL.init(fileURLWithPath:))
        process.arguments = arguments
        let log = Pipe()
        process.standardOutput = log
        process.standardError = FileHandle.nullDevice
        let lines = ChildLines(log)
        try process.run()
        if try await lines.contain({ $0.contains("Ready to accept connections") }) {
            return process
        }
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        return nil
    }

    static func program(_ name: String) -> String? {
        ["/usr/bin/\(name)", "/usr/local/bin/\(name)", "/opt/homebrew/bin/\(name)"]
            .first(where: FileManager.default.isExecutableFile)
    }
}
#endif
