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
        case plain, prior, good, otherName, expired, selfSigned, clientWanted
    }

    /// The bytes of `/large`.
    static let largeSize = 3_000_000

    let certificates: Certificates
    private let ports: [Int]
    private let process = Process()

    // Holds no more than a socket's path may.
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "InterceptorKitCurl-\(UUID().uuidString)")

    var socketPath: String { folder.appending(path: "socket").path }

    init() async throws {
        certificates = try Certificates.shared.get()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Held together, so that they differ; free again when nginx starts.
        let holders = try Site.allCases.map { _ in try LoopbackServer.start { _ in .status(200) } }
        ports = holders.map(\.port)
        for holder in holders { holder.stop() }
        try Data(count: Self.largeSize).write(to: folder.appending(path: "large"))
        let conf = folder.appending(path: "nginx.conf").path
        try configuration.write(toFile: conf, atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["-p", folder.path, "-c", conf, "-e", "stderr"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        try await waitUntilReady()
    }

    deinit {
        // Not by SIGTERM, which a process started from a dispatch thread inherits blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ site: Site, _ path: String = "/") -> HTTP.URL {
        let scheme = site == .plain || site == .prior ? "http" : "https"
        let text: String = "\(scheme)://127.0.0.1:\(ports[site.rawValue])\(path)"
        return HTTP.URL(text)
    }

    private func waitUntilReady() async throws {
        let runtime = Runtime.live
        for _ in 0..<200 {
            if FileManager.default.fileExists(atPath: folder.appending(path: "nginx.pid").path) {
                return
            }
            try await runtime.sleep(for: .milliseconds(20))
        }
    }

    private var configuration: String {
        func site(_ site: Site, _ options: String, _ directives: String) -> String {
            """
            server {
              listen 127.0.0.1:\(ports[site.rawValue]) \(options);
              \(directives)
              location / { return 200 "$server_protocol $ssl_client_s_dn"; }
                      location /connection { return 200 "$connection"; }
              location /length {
                client_max_body_size 0;
                proxy_pass http://127.0.0.1:\(ports[Site.plain.rawValue])/echo;
              }
              location /echo { return 200 "$http_content_length"; }
              location /large { root \(folder.path); }
              location /upload { client_max_body_size 0; return 413 "no"; }
            }
            """
        }
        func tls(_ certificate: String, _ key: String = "server.key") -> String {
            "ssl_certificate \(certificates.path(certificate)); "
                + "ssl_certificate_key \(certificates.path(key));"
        }
        return """
            daemon off;
            master_process off;
            worker_processes 1;
            pid nginx.pid;
            error_log stderr crit;
            events { worker_connections 256; }
            http {
              access_log off;
              client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp;
              uwsgi_temp_path tmp; scgi_temp_path tmp;
              server { listen unix:\(socketPath); location / { return 200 "socket $http_host"; } }
              \(site(.plain, "", ""))
              \(site(.prior, "http2", ""))
              \(site(.good, "ssl http2", tls("server.pem")))
              \(site(.otherName, "ssl", tls("other.pem")))
              \(site(.expired, "ssl", tls("expired.pem")))
              \(site(.selfSigned, "ssl", tls("self.pem", "self.key")))
              \(site(.clientWanted, "ssl", tls("server.pem") + " ssl_client_certificate \(certificates.path("ca.pem")); "
                + "ssl_verify_client on;"))
            }
            """
    }
}
