import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("TransportError from URLError")
struct TransportErrorURLErrorTests {
    static let codes: [(URLError.Code, TransportError.Code, Bool)] = [
        (.cannotFindHost, .nameNotResolved, true), (.dnsLookupFailed, .nameNotResolved, true),
        (.cannotConnectToHost, .cannotConnect, true),
        (.notConnectedToInternet, .cannotConnect, false),
        (.badURL, .cannotConnect, true), (.timedOut, .timedOut, false),
        (.networkConnectionLost, .connectionLost, false), (.secureConnectionFailed, .tls, false),
        (.serverCertificateUntrusted, .tls, true), (.serverCertificateHasBadDate, .tls, true),
        (.clientCertificateRequired, .tls, false),
        (.cannotParseResponse, .protocolViolation, false),
        (.cancelled, .other, false), (.unknown, .other, false),
    ]

    @Test(
        "maps each code to its kind, and marks only unsent requests as unsent",
        arguments: codes.indices
    )
    func mapsCodes(index: Int) {
        let (code, kind, isUnsent) = TransportErrorURLErrorTests.codes[index]
        let secret = [NSLocalizedDescriptionKey: "http://host/?token=s3"]

        let error = TransportError(
            URLError(code, userInfo: secret),
            host: "host:81",
            idleSeconds: 7,
            mayHaveArrived: false
        )

        expectEqual(error.code, kind)
        expectEqual(error.isUnsent, isUnsent)
        expectTrue(error.description.contains("host:81"))
        expectTrue(!error.description.contains("s3"))
        expectEqual((error.cause as? URLError)?.code, code)
    }

    @Test("never marks a request that may have arrived as unsent", arguments: codes.indices)
    func arrived(index: Int) {
        let error = TransportError(
            URLError(TransportErrorURLErrorTests.codes[index].0),
            host: "host",
            idleSeconds: 7,
            mayHaveArrived: true
        )

        expectTrue(!error.isUnsent)
    }

    #if canImport(FoundationNetworking)
    @Test("says that a port without TLS was there")
    func plainPort() {
        let text = [NSLocalizedDescriptionKey: "error:0A00010B:SSL routines::wrong version number"]

        let error = TransportError(
            URLError(.unknown, userInfo: text),
            host: "host:80",
            idleSeconds: 7,
            mayHaveArrived: false
        )

        expectTrue(error.message.hasPrefix("host:80 answered, but not with TLS"))
    }

    // The texts of libcurl 7.88, 8.14 and 8.22 with OpenSSL 3, all under the code -1.
    static let texts: [(String, TransportError.Code, isUnsent: Bool)] = [
        ("SSL certificate problem: unable to get local issuer certificate", .tls, true),
        ("SSL: no alternative certificate subject name matches target host name 'x'", .tls, true),
        ("error:0A00010B:SSL routines::wrong version number", .tls, false),
        ("TLS connect error: error:0A00010B:SSL routines::wrong version number", .tls, false),
        (
            "OpenSSL SSL_connect: Connection reset by peer in connection to x:443", .cannotConnect,
            true
        ),
        ("OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to x:443 ", .cannotConnect, true),
        (
            "TLS connect error: error:0A000126:SSL routines::unexpected eof while reading",
            .cannotConnect, true
        ),
        ("transfer closed with 97 bytes remaining to read", .connectionLost, false),
        ("transfer closed with outstanding read data remaining", .connectionLost, false),
        ("end of response with 7 bytes missing", .connectionLost, false),
        ("Recv failure: Connection reset by peer", .connectionLost, false),
        ("Send failure: Broken pipe", .connectionLost, false),
        ("Illegal or missing hexadecimal sequence in chunked-encoding", .protocolViolation, false),
        ("Failed writing header", .protocolViolation, false),
        (
            "Failure writing output to destination, passed 2 returned 0",
            .protocolViolation, false
        ),
        ("Too large response headers: 307762 > 307200", .protocolViolation, false),
        ("Too many response headers, 5000 is max", .protocolViolation, false),
        ("Invalid Content-Length: value", .protocolViolation, false),
        ("Weird server reply", .protocolViolation, false),
        (
            "Error while processing content unencoding: incorrect header check",
            .protocolViolation, false
        ),
        (
            "Unrecognized content encoding type. libcurl understands gzip.",
            .protocolViolation, false
        ),
        (
            "HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)",
            .protocolViolation, false
        ),
        (
            "HTTP/2 stream 1 reset by server (error 0x2 INTERNAL_ERROR)",
            .protocolViolation, false
        ),
        (
            "Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect",
            .cannotConnect, true
        ),
        (
            "Failed to connect to 127.0.0.1:1 after 0 ms: Could not connect to server",
            .cannotConnect, true
        ),
        ("Could not resolve proxy: proxy.example", .nameNotResolved, true),
        ("Could not resolve: proxy.example:3128", .nameNotResolved, true),
        ("CONNECT tunnel failed, response 407", .proxyRefused, true),
        ("Proxy CONNECT aborted", .cannotConnect, true),
        ("operation aborted by callback", .other, false),
    ]

    @Test("distinguishes unknown errors by their text", arguments: texts.indices)
    func mapsTexts(index: Int) {
        let (text, kind, isUnsent) = TransportErrorURLErrorTests.texts[index]

        let error = TransportError(
            URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text]),
            host: "host",
            idleSeconds: 7,
            mayHaveArrived: false
        )

        expectEqual(error.code, kind)
        expectEqual(error.isUnsent, isUnsent)
    }

    @Test("does not call the host's what cannot be written of a body")
    func ownFaultInBody() {
        let text = "Failure writing output to destination, passed 2 returned 0"

        let error = TransportError(
            URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text]),
            host: "host",
            idleSeconds: 7,
            isInBody: true,
            mayHaveArrived: true
        )

        expectEqual(error.code, .other)
    }

    @Test("distinguishes a missing response from one that is not HTTP")
    func ownCodes() {
        let errors = [URLError.Code.badServerResponse, .unsupportedURL].map {
            TransportError(URLError($0), host: "host", idleSeconds: 7, mayHaveArrived: false)
        }

        expectEqual(errors.map(\.code), [.connectionLost, .protocolViolation])
        expectEqual(errors.map(\.isUnsent), [false, false])
    }
    #endif
}
