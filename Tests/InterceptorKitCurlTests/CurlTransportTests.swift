import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import TestRun
import Testing

@Suite("CurlTransport", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct CurlTransportTests {
    @Test("delivers the trailers after the body, encoded or not", arguments: [nil, "gzip"])
    func trailers(coding: String?) async throws {
        let transport = try CurlTransport()
        let coded = Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8gAkQBApi0BCwAAAA==")
        let body = try unwrap(coding == nil ? Data("hello hello".utf8) : coded)
        let headers: HTTP.Headers = coding.map { ["Content-Encoding": $0] } ?? [:]
        let server = try LoopbackServer { _ in
            .status(200, headers: headers, body: body).trailers(["X-Sum": "1"])
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        let before = response.trailers
        let text = try await response.text()

        expectEqual(text, "hello hello")
        expectEqual(before, nil)
        expectEqual(response.trailers, ["X-Sum": "1"])
    }
}
