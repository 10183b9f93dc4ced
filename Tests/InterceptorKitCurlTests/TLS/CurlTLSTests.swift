import Expectations
import Foundation
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport over TLS",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled("nginx (/usr/sbin/nginx) and openssl (/usr/bin/openssl) are not installed") {
        Nginx.isInstalled
    },
    .timeLimit(.minutes(10))
)
struct CurlTLSTests {
    private let nginx: Nginx

    init() async throws { nginx = try await Nginx() }

    private func trusting(
        _ change: (inout CurlTransport.TLS) throws -> Void = { _ in }
    ) throws -> CurlTransport {
        var settings = CurlTransport.Settings()
        settings.proxy = .none
        settings.tls.trust = .file(nginx.certificates.path("ca.pem"))
        try change(&settings.tls)
        return try CurlTransport(settings: settings)
    }

    private func failure(
        of site: Nginx.Site,
        over transport: CurlTransport
    ) async -> TransportError? {
        await #expect(throws: TransportError.self) {
            try await transport.send(.get(nginx.url(site)), call: Call())
        }
    }

    @Test("trusts an authority from a file or memory, and speaks HTTP/2")
    func ownAuthority() async throws {
        let fromFile = try trusting()
        let fromMemory = try trusting {
            $0.trust = .certificates(try nginx.certificates.bytes("ca.pem"))
        }

        for transport in [fromFile, fromMemory] {
            let response = try await transport.send(.get(nginx.url(.good)), call: Call())
            let text = try await response.text()

            expectEqual(response.status, 200)
            expectTrue(text.hasPrefix("HTTP/2.0"))
        }
    }

    @Test(
        "refuses an untrusted certificate and reports the request as unsent",
        arguments: [Nginx.Site.otherName, .expired, .selfSigned]
    )
    func untrusted(site: Nginx.Site) async throws {
        let error = await failure(of: site, over: try trusting())

        expectEqual(error?.code, .tls)
        expectEqual(error?.isUnsent, true)
        expectEqual(error?.message.contains("certificate"), true)
        expectEqual((error?.cause as? CurlError)?.code, 60)
    }

    @Test("checks the certificate at another address against the URL's host")
    func connectAddress() async throws {
        let transport = try trusting()
        var call = Call()
        call.connectAddress = HTTP.ConnectAddress(
            host: "127.0.0.1",
            port: nginx.url(.otherName).origin?.port ?? 0
        )

        let response = try await transport.send(.get("https://other.example/"), call: call)
        // Its certificate is for another name; so is the first one's connection.
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get("https://name.invalid/"), call: call)
        }
        call.connectAddress = HTTP.ConnectAddress(
            host: "127.0.0.1",
            port: nginx.url(.good).origin?.port ?? 0
        )
        // For the address, and not for the name.
        let addressed = await #expect(throws: TransportError.self) {
            try await transport.send(.get("https://other.example/"), call: call)
        }

        expectEqual(response.status, 200)
        expectEqual(error?.code, .tls)
        expectEqual(error?.isUnsent, true)
        expectEqual(addressed?.code, .tls)
    }

    @Test("does not trust an unknown authority by default")
    func systemTrust() async throws {
        let error = await failure(of: .good, over: try trusting { $0.trust = .system })

        expectEqual(error?.code, .tls)
        expectEqual(error?.isUnsent, true)
    }

    @Test("sends a client certificate from files, encrypted files or memory")
    func clientCertificate() async throws {
        let made = nginx.certificates
        let all: [CurlTransport.ClientCertificate] = [
            .files(certificate: made.path("client.pem"), key: made.path("client.key")),
            .files(
                certificate: made.path("client.pem"),
                key: made.path("locked.key"),
                password: "secret"
            ),
            .bytes(
                certificate: try made.bytes("client.pem"),
                key: try made.bytes("client.key")
            ),
        ]

        for certificate in all {
            let transport = try trusting { $0.clientCertificate = certificate }
            let response = try await transport.send(.get(nginx.url(.clientWanted)), call: Call())
            let text = try await response.text()

            expectEqual(response.status, 200)
            expectTrue(text.contains("CN=client"))
        }
    }

    @Test("delivers the server's 400 when no client certificate is set")
    func noClientCertificate() async throws {
        let transport = try trusting()

        let response = try await transport.send(.get(nginx.url(.clientWanted)), call: Call())

        // nginx lets the handshake end and says it in HTTP.
        expectEqual(response.status, 400)
    }

    @Test("sends nothing when the client certificate cannot be read")
    func unreadableClientCertificate() async throws {
        let made = nginx.certificates
        let transport = try trusting {
            $0.clientCertificate = .files(
                certificate: made.path("client.pem"),
                key: made.path("locked.key"),
                password: "wrong"
            )
        }

        let error = await failure(of: .clientWanted, over: transport)

        expectEqual(error?.code, .tls)
        expectEqual(error?.isUnsent, true)
        expectEqual(error.map { "\($0)".contains("wrong") }, false)
    }

    @Test(
        "accepts a host's pinned keys and no other",
        arguments: [
            ("127.0.0.1", ["right"], true), ("127.0.0.1", ["wrong"], false),
            ("127.0.0.1", ["wrong", "right"], true), ("other.example", ["wrong"], true),
            ("**.example", ["wrong"], true),
        ]
    )
    func pinned(host: String, keys: [String], isAccepted: Bool) async throws {
        let wrong = "sha256/" + Data(repeating: 1, count: 32).base64EncodedString()
        let right = "sha256/" + nginx.certificates.pin
        let transport = try trusting {
            $0.pins = [host: keys.map { $0 == "right" ? right : wrong }]
        }

        if isAccepted {
            let response = try await transport.send(.get(nginx.url(.good)), call: Call())
            expectEqual(response.status, 200)
        } else {
            let error = await failure(of: .good, over: transport)
            expectEqual(error?.code, .tls)
            expectEqual(error?.isUnsent, true)
            expectEqual(error?.message.contains("pinned"), true)
        }
    }

    @Test("keeps the pins of hosts apart that take turns on one transport")
    func pinnedInTurns() async throws {
        let wrong = "sha256/" + Data(repeating: 1, count: 32).base64EncodedString()
        let transport = try trusting { $0.pins = ["*.example": [wrong]] }
        var call = Call()
        call.connectAddress = HTTP.ConnectAddress(
            host: "127.0.0.1",
            port: nginx.url(.otherName).origin?.port ?? 0
        )

        for _ in 0..<3 {
            let response = try await transport.send(.get(nginx.url(.good)), call: Call())
            let text = try await response.text()
            // By its name, not by the address.
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(.get("https://other.example./"), call: call)
            }

            expectTrue(text.hasPrefix("HTTP/2.0"))
            expectEqual((error?.cause as? CurlError)?.code, 90)
        }
    }

    @Test("makes the pin of a certificate that openssl makes")
    func pins() throws {
        for name in ["server.pem", "other.pem", "expired.pem"] {
            let pem = String(decoding: try nginx.certificates.bytes(name), as: UTF8.self)
            let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
            let der = try unwrap(Data(base64Encoded: lines.joined()))

            expectEqual(
                CertificatePins.pin(ofCertificate: der),
                "sha256/" + nginx.certificates.pin
            )
        }
    }

    @Test("sends nothing when the trusted authorities cannot be read")
    func unreadableAuthorities() async throws {
        let error = await failure(of: .good, over: try trusting { $0.trust = .file("/none.pem") })

        expectEqual(error?.code, .tls)
        expectEqual(error?.isUnsent, true)
    }

    @Test("fails with a TLS error when the server has no TLS")
    func noTLS() async throws {
        let text = nginx.url(.plain).text.replacing("http:", with: "https:")

        let error = await #expect(throws: TransportError.self) {
            try await trusting().send(.get(HTTP.URL(unvalidated: text)), call: Call())
        }

        expectEqual(error?.code, .tls)
        expectEqual(error?.isUnsent, true)
    }

    @Test("speaks HTTP/2 without TLS with prior knowledge")
    func priorKnowledge() async throws {
        var settings = CurlTransport.Settings()
        settings.version = .http2PriorKnowledge
        let transport = try CurlTransport(settings: settings)

        for _ in 0..<3 {
            let text = try await transport.send(.get(nginx.url(.prior)), call: Call()).text()

            expectTrue(text.hasPrefix("HTTP/2.0"))
        }
    }

    @Test("speaks HTTP/1.1 only when the settings say so")
    func http1() async throws {
        var settings = CurlTransport.Settings()
        settings.version = .http1
        settings.tls.trust = .file(nginx.certificates.path("ca.pem"))
        let transport = try CurlTransport(settings: settings)

        let text = try await transport.send(.get(nginx.url(.good)), call: Call()).text()

        expectTrue(text.hasPrefix("HTTP/1.1"))
    }

    @Test("connects to a Unix domain socket and keeps the URL's host")
    func unixSocket() async throws {
        var settings = CurlTransport.Settings()
        settings.unixSocketPath = nginx.socketPath
        let transport = try CurlTransport(settings: settings)

        let text = try await transport.send(.get("http://service.test/x"), call: Call()).text()

        expectEqual(text, "socket service.test")
    }
}
