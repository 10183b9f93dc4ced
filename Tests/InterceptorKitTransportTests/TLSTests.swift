import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@Suite(
    "URLSessionTransport over TLS",
    .tags(.sockets),
    .serializedAcrossSuites,
    .serialized,
    .timeLimit(.minutes(10))
)
struct TLSTests {
    private let transport = URLSessionTransport()

    // The system's trust cannot be added to, so that a wrong name or date is seen beside the unknown issuer.
    @Test(
        "reports an untrusted certificate and that nothing was sent",
        .enabled(if: TLSServer.isAvailable, "There is no openssl to serve with."),
        arguments: [TLSServer.Certificate.selfSigned, .wrongName, .expired]
    )
    func untrusted(certificate: TLSServer.Certificate) async throws {
        let server = try await TLSServer.start(certificate)
        defer { server.stop() }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get("https://127.0.0.1:\(server.port)/"), call: Call())
        }

        expectEqual(error?.code, .tls)
        expectEqual(error?.isUnsent, true)
        expectEqual(error?.message.contains("127.0.0.1:\(server.port)"), true)
        expectEqual((error?.cause as? URLError)?.localizedDescription.contains("certificate"), true)
    }

    @Test("reports a TLS error when the server has no TLS")
    func plain() async throws {
        let server = try LoopbackServer { _ in .status(200) }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get("https://127.0.0.1:\(server.port)/"), call: Call())
        }

        expectEqual(error?.code, .tls)
        expectTrue(error?.cause is URLError)
    }

    @Test(
        "fails when a server that requires TLS gets plain HTTP",
        .enabled(if: TLSServer.isAvailable, "There is no openssl to serve with.")
    )
    func onlyTLS() async throws {
        let server = try await TLSServer.start(.selfSigned)
        defer { server.stop() }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get("http://127.0.0.1:\(server.port)/"), call: Call())
        }

        let codes: [TransportError.Code] = [.protocolViolation, .connectionLost]
        expectEqual(error.map { codes.contains($0.code) }, true)
    }
}
