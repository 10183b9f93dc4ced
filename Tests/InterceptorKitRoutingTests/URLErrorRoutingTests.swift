import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitRouting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A routed session's URLError")
struct URLErrorRoutingTests {
    private struct Foreign: Error, CustomStringConvertible {
        let description = "a password"
    }

    private let request = urlRequest("https://api.example.com/orders?token=s3cret&page=2")

    @Test(
        "has the code that URLSession would give",
        arguments: [
            (TransportError(.nameNotResolved, ""), URLError.Code.cannotFindHost),
            (TransportError(.cannotConnect, ""), .cannotConnectToHost),
            (TransportError(.tls, ""), .secureConnectionFailed),
            (TransportError(.connectionLost, ""), .networkConnectionLost),
            (TransportError(.protocolViolation, ""), .badServerResponse),
            (TransportError(.timedOut, ""), .timedOut),
            (TransportError(.readerTooSlow, ""), .dataLengthExceedsMaximum),
            (TransportError(.unsupported, ""), .unsupportedURL),
            (TransportError(.closed, ""), .unknown),
            (HTTP.RequestError(.invalidURL, ""), .badURL),
            (HTTP.RequestError(.unsupportedScheme, ""), .unsupportedURL),
            (HTTP.RequestError(.invalidField, ""), .unknown),
            (CancellationError(), .cancelled),
            (RoutingError.notCached, .resourceUnavailable),
            (RoutingError.bodyTooLarge(limit: 1), .dataLengthExceedsMaximum),
            (URLError(.callIsActive), .callIsActive),
        ] as [(any Error, URLError.Code)]
    )
    func codes(error: any Error, expected: URLError.Code) {
        expectEqual(URLError(routing: error, of: request).code, expected)
    }

    @Test("carries the original error, and the URL without its secrets")
    func userInfo() {
        let error = URLError(routing: TransportError(.tls, "No certificate."), of: request)

        expectEqual((error.userInfo[NSUnderlyingErrorKey] as? TransportError)?.code, .tls)
        expectEqual(error.localizedDescription, "No certificate.")
        expectEqual(error.failingURL?.host, "api.example.com")
        expectTrue(!"\(error.userInfo)".contains("s3cret"))
    }

    @Test("does not repeat the text of an unknown error")
    func foreign() {
        let error = URLError(routing: Foreign(), of: request)

        expectEqual(error.code, .unknown)
        expectEqual(error.localizedDescription, "The request failed in its route with Foreign.")
        expectTrue(error.userInfo[NSUnderlyingErrorKey] is Foreign)
    }
}
