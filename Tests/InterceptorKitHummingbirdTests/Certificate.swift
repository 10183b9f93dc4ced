#if Hummingbird
import Foundation
import NIOSSL

/// A certificate for 127.0.0.1 that is its own authority, made by the `openssl` command.
final class Certificate: Sendable {
    static var canBeMade: Bool { FileManager.default.isExecutableFile(atPath: openssl) }

    private static let openssl = "/usr/bin/openssl"
    private let folder: URL

    init() async throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "InterceptorKitHummingbird-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let command = Process()
        command.executableURL = URL(fileURLWithPath: Self.openssl)
        command.arguments = """
            req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
            -keyout key.pem -out certificate.pem -subj /CN=127.0.0.1 \
            -addext subjectAltName=IP:127.0.0.1
            """.split(separator: " ").map(String.init)
        command.currentDirectoryURL = folder
        command.standardOutput = FileHandle.nullDevice
        command.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { continuation in
            command.terminationHandler = { _ in continuation.resume() }
            do {
                try command.run()
            } catch {
                command.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The certificate's own file, for who is to trust it.
    var file: String { folder.appending(path: "certificate.pem").path }

    var chain: [NIOSSLCertificateSource] {
        get throws { try NIOSSLCertificate.fromPEMFile(file).map { .certificate($0) } }
    }

    var key: NIOSSLPrivateKeySource {
        get throws {
            let path = folder.appending(path: "key.pem").path
            return .privateKey(try NIOSSLPrivateKey(file: path, format: .pem))
        }
    }
}
#endif
