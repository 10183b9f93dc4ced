import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitCurl

@Suite("libcurl's errors in the common vocabulary")
struct TransportErrorTests {
    private func error(_ code: Int, _ text: String = "", isUnsent: Bool = false) -> TransportError {
        let failure = EngineFailure(error: CurlError(code: code, text: text), isUnsent: isUnsent)
        return TransportError(failure, host: "a.example", CurlTransport.Settings())
    }

    @Test(
        "name the failure and the peer, and keep libcurl's error as cause",
        arguments: [
            (5, .nameNotResolved, "proxy"), (6, .nameNotResolved, "cannot be resolved"),
            (7, .cannotConnect, "No connection"), (45, .cannotConnect, "No connection"),
            (97, .cannotConnect, "The proxy"), (28, .timedOut, "did not answer in time"),
            (60, .tls, "certificate of"), (90, .tls, "pinned"), (58, .tls, "client certificate"),
            (77, .tls, "nothing was sent"), (98, .tls, "requires a client certificate"),
            (35, .tls, "No secure connection"), (91, .tls, "No secure connection"),
            (18, .connectionLost, "ended before the body did"),
            (52, .connectionLost, "without a response"), (55, .connectionLost, "broke"),
            (56, .connectionLost, "broke"), (81, .connectionLost, "broke"),
            (16, .protocolViolation, "HTTP/2"),
            (92, .protocolViolation, "HTTP/2"), (61, .protocolViolation, "coding"),
            (1, .protocolViolation, "not valid HTTP"), (8, .protocolViolation, "not valid HTTP"),
            (88, .protocolViolation, "not valid HTTP"), (27, .protocolViolation, "longer than"),
            (9999, .other, "error 9999"),
        ] as [(Int, TransportError.Code, String)]
    )
    func codes(number: Int, code: TransportError.Code, words: String) {
        let error = error(number, "some words")

        expectEqual(error.code, code)
        expectTrue(error.message.contains(words))
        expectTrue(error.message.contains("a.example"))
        expectTrue(!error.isUnsent)
        expectEqual(error.cause as? CurlError, CurlError(code: number, text: "some words"))
    }

    @Test(
        "say that a port without TLS was there",
        arguments: ["wrong version number", "packet length too long"]
    )
    func plainPort(text: String) {
        let error = error(35, "TLS connect error: error:0A00010B:SSL routines::\(text)")

        expectEqual(error.code, .tls)
        expectTrue(error.message.hasPrefix("a.example answered, but not with TLS"))
    }

    @Test(
        "tell a connection lost in the handshake by the words of each libcurl",
        arguments: [
            // 7.88, 8.14 and 8.22, whose server closed the connection; which all three say of a reset.
            (
                "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a.example:443 ",
                .cannotConnect
            ),
            (
                "TLS connect error: error:0A000126:SSL routines::unexpected eof while reading",
                .cannotConnect
            ),
            ("Recv failure: Connection reset by peer", .cannotConnect),
            ("Send failure: Broken pipe", .cannotConnect),
            // 7.88, and 8.14 and 8.22, whose server does not speak TLS.
            ("OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number", .tls),
            ("TLS connect error: error:0A00010B:SSL routines::wrong version number", .tls),
        ] as [(String, TransportError.Code)]
    )
    func handshakes(text: String, code: TransportError.Code) {
        let error = error(35, text, isUnsent: true)

        expectEqual(error.code, code)
        expectTrue(error.isUnsent)
    }

    @Test("tell libcurl's last try by the words and numbers of each version")
    func lastTries() {
        let text = "Connection died, tried 5 times before giving up"
        // 7.88 says it of sending, 8.14 of receiving.
        let numbers = [52, 55, 56].filter { CurlError(code: $0, text: text).isTooManyResends }

        expectEqual(numbers, [55, 56])
        for other in ["Send failure: Broken pipe", "Connection died, retrying a fresh connect"] {
            expectTrue(!CurlError(code: 55, text: other).isTooManyResends)
        }
    }

    @Test("report a timeout before the connection was ready as unsent")
    func unsent() {
        expectEqual(self.error(27, isUnsent: true).code, .other)
        let error = error(28, isUnsent: true)

        expectEqual(error.code, .timedOut)
        expectTrue(error.message.contains("No connection to a.example was ready within"))
        expectTrue(error.isUnsent)
    }

    @Test("differ by libcurl's message where one code has several meanings")
    func words() {
        for problem in [
            "Illegal or missing hexadecimal sequence", "Too long hexadecimal number",
            "Malformed encoding found",
        ] {
            expectEqual(error(56, problem + " in chunked-encoding").code, .protocolViolation)
        }
        expectEqual(error(56, "OpenSSL: tlsv13 alert certificate required").code, .tls)
        expectEqual(error(56, "Recv failure: Connection reset by peer").code, .connectionLost)
        expectEqual(
            error(56, "Too large response headers: 307762 > 307200").code,
            .protocolViolation
        )
        // As libcurl 7.86, 7.88 to 8.14, and 8.22 tell of a proxy, and 8.22 of a key.
        for (code, text) in [
            (56, "Received HTTP code 407 from proxy after CONNECT"),
            (56, "CONNECT tunnel failed, response 407"), (7, "CONNECT tunnel failed, response 407"),
        ] {
            expectEqual(error(code, text).code, .proxyRefused)
            expectTrue(error(code, text).message.contains("answered CONNECT with 407"))
        }
        expectEqual(error(56, "Proxy CONNECT aborted").code, .cannotConnect)
        let host = "Failed to connect to CONNECT.example port 443 after 0 ms"
        expectTrue(error(7, host).message.contains("No connection could be made"))
        let key = "unable to set private key file: '/key.pem' type PEM"
        expectEqual(error(43, key).code, .tls)
        expectEqual(error(43).code, .protocolViolation)
        expectEqual(error(100, "Too many response headers, 5000 is max").code, .protocolViolation)
    }
}
