import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "CurlTransport with content codings",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ResponseDecodingTests {
    @Test("does not decode a response if the request set Accept-Encoding")
    func ownCodings() async throws {
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Content-Encoding": "gzip"], body: "not gzip")
        }
        let transport = try CurlTransport()
        let own = HTTP.Request.get(server.url("/"), headers: ["Accept-Encoding": "gzip"])

        let response = try await transport.send(own, call: Call())
        let text = try await response.text()
        let other = try await transport.send(.get(server.url("/")), call: Call())
        await #expect(throws: TransportError.self) { try await other.text() }

        expectEqual(text, "not gzip")
        expectEqual(response.headers["Content-Encoding"], "gzip")
        expectEqual(other.request?.headers["Accept-Encoding"]?.hasPrefix("gzip"), true)
        expectEqual(server.requests.last?.headers["Accept-Encoding"]?.hasPrefix("gzip"), true)
    }

    @Test("decodes what was coded several times", arguments: [["gzip, gzip"], ["gzip", "GZip"]])
    func row(values: [String]) async throws {
        // "hello".
        let twice = Data(
            base64Encoded: "H4sIAAAAAAACA5Pv5mAAASbm0x5nT55kZ2hbJmDGChQAAKdvtEUZAAAA"
        )
        let headers = HTTP.Headers(values.map { ("Content-Encoding", $0) })
        let server = try LoopbackServer { _ in .status(200, headers: headers, body: twice ?? Data())
        }

        let response = try await CurlTransport().send(.get(server.url("/")), call: Call())
        let text = try await response.text()

        expectEqual(text, "hello")
        expectTrue(!response.headers.contains("Content-Encoding"))
    }

    @Test("asks for no coding when the request has a Range")
    func ranges() async throws {
        let server = try LoopbackServer { _ in .status(206, body: "part") }

        _ = try await CurlTransport().send(
            .get(server.url("/"), headers: ["Range": "bytes=0-3"]),
            call: Call()
        )

        expectEqual(server.requests.first?.headers.contains("Accept-Encoding"), false)
    }
}
