import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Certificates made by the `openssl` command in a folder of their own.
struct Certificates: Sendable {
    static let openssl = "/usr/bin/openssl"

    /// Made once for the process, because a dozen commands take their time, and removed at its end.
    static let shared: Task<Certificates, any Error> = Task { try await Certificates() }

    let folder: URL
    /// The SHA-256 of the server's public key, as a pin.
    let pin: String

    /// Makes an authority, a server's certificate for 127.0.0.1, one for another name, one that has
    /// expired, one signed by nobody, and a client's.
    private init() async throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "InterceptorKitCurl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = """
            set -e
            key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
            openssl req -x509 $key -keyout ca.key -out ca.pem -days 30 -subj '/CN=Test authority'
            openssl req $key -keyout server.key -out server.csr -subj '/CN=server'
            openssl req $key -keyout client.key -out client.csr -subj '/CN=client'
            printf 'subjectAltName=IP:127.0.0.1' > here
            printf 'subjectAltName=DNS:other.example' > elsewhere
            issue() { openssl x509 -req -in $1 -CA ca.pem -CAkey ca.key -CAcreateserial \
                -days $2 -extfile $3 -out $4; }
            issue server.csr 30 here server.pem
            issue server.csr 30 elsewhere other.pem
            # By `ca`, since `x509` of OpenSSL 3.5 takes no validity that is over, and older ones no dates.
            printf '%s\\n' '[ca]' 'default_ca=own' '[own]' 'database=index' 'serial=number' \
                'new_certs_dir=.' 'default_md=sha256' 'policy=any' 'x509_extensions=here' \
                '[any]' 'commonName=supplied' '[here]' 'subjectAltName=IP:127.0.0.1' > ca.conf
            : > index
            echo 01 > number
            openssl ca -batch -notext -config ca.conf -cert ca.pem -keyfile ca.key -in server.csr \
                -startdate 20200101000000Z -enddate 20200102000000Z -out expired.pem
            issue client.csr 30 here client.pem
            openssl req -x509 $key -keyout self.key -out self.pem -days 30 -subj '/CN=127.0.0.1' \
                -addext 'subjectAltName=IP:127.0.0.1'
            openssl pkey -in client.key -aes256 -passout pass:secret -out locked.key
            openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der \
                | openssl dgst -sha256 -binary | openssl base64 -A > pin
            """
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", script]
        shell.currentDirectoryURL = folder
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        // Waited for without a thread of the tests', of which there may be two.
        try await withCheckedThrowingContinuation { continuation in
            shell.terminationHandler = { _ in continuation.resume() }
            do {
                try shell.run()
            } catch {
                shell.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        let made = folder.path
        Self.folders.withLock { $0.append(made) }
        atexit { Certificates.removeAll() }
        pin = try String(contentsOf: folder.appending(path: "pin"), encoding: .utf8)
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    private static let folders = Lock<[String]>([])

    private static func removeAll() {
        for folder in folders.withLock(\.self) {
            try? FileManager.default.removeItem(atPath: folder)
        }
    }
}
