#if AsyncHTTPClient
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

@Suite("OutgoingRequest", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct OutgoingRequestTests {
    private let transport = AsyncHTTPClientTransport()

    static let bodies: [(HTTP.Body, Int, String?)] = [
        ("text", 4, "4"), (.empty, 0, "0"),
        (.bytes(Data(count: 3_000_000)), 3_000_000, "3000000"),
        (.replayable { chunks(10) }, 10_000, nil), (.oneShot(chunks(3)), 3_000, nil),
        (.oneShot(length: 3_000, chunks(3)), 3_000, "3000"),
        (.file(#filePath, range: 0..<6), 6, "6"),
    ]

    @Test("sends a body whole, with its length if it is known", arguments: bodies.indices)
    func sendsBody(index: Int) async throws {
        let (body, count, length) = OutgoingRequestTests.bodies[index]
        let server = try LoopbackServer { _ in .status(200) }

        let response = try await transport.send(.put(server.url("/"), body: body), call: Call())

        expectEqual(response.status, 200)
        let request = try unwrap(server.requests.first)
        expectEqual(request.body.count, count)
        expectEqual(request.headers["Content-Length"], length)
    }

    @Test("sends every request target exactly as written", arguments: [1, 2] as [UInt64])
    func targets(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let server = try LoopbackServer { _ in .status(204) }
        let characters = Array("abAB019-._~!$&'()*+,;=:@/%").map {
            $0 == "%" ? "%2f" : String($0)
        }
        let urls = (0..<200).map { _ in
            let text = { (count: Int, more: [String]) in
                (0..<count).map { _ in
                    (characters + more).randomElement(using: &random) ?? ""
                }.joined()
            }
            let path = text(Int.random(in: 0...8, using: &random), [])
            let query = text(Int.random(in: 0...8, using: &random), ["?"])
            return server.url("/\(path)" + (Bool.random(using: &random) ? "?\(query)" : ""))
        }

        for url in urls { _ = try await transport.send(.get(url), call: Call()) }

        expectEqual(server.requests.map(\.target), urls.map(\.requestTarget))
    }

    @Test("refuses a URL that the engine would encode again", arguments: ["/a[0]%2F", "/?a[]=1"])
    func refusesBrackets(target: String) async throws {
        let server = try LoopbackServer { _ in .status(200) }

        let error = await #expect(throws: HTTP.RequestError.self) {
            try await transport.send(.get(server.url(target)), call: Call())
        }

        expectEqual(error?.code, .invalidURL)
        expectTrue(server.requests.isEmpty)
    }
}
#endif
