#if Redis
import Foundation

/// A self-signed certificate for 127.0.0.1, in a folder that lives as long as this.
final class TestCertificate: Sendable {
    let certificate: String
    let key: String
    private let folder: URL

    /// - Returns: `nil` without the program openssl.
    init?() throws {
        guard let program = RedisServer.program("openssl") else { return nil }
        folder = FileManager.default.temporaryDirectory
            .appending(path: "interceptorkit-redis-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = folder.appending(path: "certificate.pem").path
        key = folder.appending(path: "key.pem").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", key, "-out", certificate,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
#endif
