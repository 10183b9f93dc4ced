import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("LocalResponseInterceptor")
struct LocalResponseInterceptorTests {
    private struct Order: Codable, Sendable, Equatable {
        var id: Int
    }

    /// A client without a server.
    private static func client(
        _ source: @escaping LocalResponseInterceptor.Source = { _ in nil }
    ) throws -> HTTP.Client {
        try HTTP.Client(transport: CannedTransport(nil), timeout: nil) {
            LocalResponseInterceptor(source)
        }
    }

    @Test("responds from a file, with its media type and length")
    func file() async throws {
        let folder = try Folder()
        try folder.write(Data(#"{"id":7}"#.utf8), to: "order.json")
        let path = folder["order.json"]

        let response = try await Self.client { _ in .file(path) }.send(.get(orders))

        expectEqual(response.status, 200)
        expectEqual(response.headers["Content-Type"], "application/json")
        expectEqual(response.headers["Content-Length"], "8")
        expectEqual(response.request?.url, orders)
        // As a server's body, which is read once.
        expectTrue(!response.body.isReplayable)
        try await expectEqual(response.decode(Order.self), Order(id: 7))
    }

    @Test("gives a file the status and the fields that are asked for")
    func fields() async throws {
        let folder = try Folder()
        try folder.write(Data("<p>".utf8), to: "error.html")
        let path = folder["error.html"]
        let headers: HTTP.Headers = ["Content-Type": "application/xhtml+xml", "ETag": "x"]

        let response = try await Self.client { _ in .file(path, status: 404, headers: headers) }
            .send(.get(orders))

        expectEqual(response.status, 404)
        expectEqual(response.headers["Content-Type"], "application/xhtml+xml")
        expectEqual(response.headers["ETag"], "x")
        try await expectEqual(response.text(), "<p>")
    }

    @Test("responds with a value, with the media type it was made as")
    func value() async throws {
        let client = try Self.client { _ in
            HTTP.Response(201, body: try .json(Order(id: 8)))
        }

        let response = try await client.send(.post(orders))

        expectEqual(response.status, 201)
        expectEqual(response.headers["Content-Type"], "application/json")
        expectEqual(response.headers["Content-Length"], "8")
        try await expectEqual(response.decode(Order.self), Order(id: 8))
    }

    @Test("prefers a call's own response, and sends what has none")
    func call() async throws {
        let client = try HTTP.Client(transport: CannedTransport(202), timeout: nil) {
            LocalResponseInterceptor { request in
                request.url.path == "/orders" ? HTTP.Response(200) : nil
            }
        }

        let own = try await client.send(.get(orders)) { $0.localResponse = HTTP.Response(203) }
        let chosen = try await client.send(.get(orders))
        let sent = try await client.send(.get("https://api.example.com/other"))

        expectEqual([own.status, chosen.status, sent.status], [203, 200, 202])
    }

    @Test("fails if its file is missing, without another attempt")
    func missing() async throws {
        let folder = try Folder()
        let asked = Recorder<HTTP.URL>()
        let path = folder["none.json"]
        let client = try HTTP.Client(transport: CannedTransport(200), timeout: nil) {
            RetryInterceptor(policy: .steady)
            LocalResponseInterceptor { request in
                asked.note(request.url)
                return .file(path)
            }
        }

        let error = await #expect(throws: HTTP.ContentError.self) {
            try await client.send(.get(orders))
        }

        expectEqual(error?.code, .unreadableFile)
        expectEqual(error?.description.contains("cannot be read: "), true)
        expectEqual(asked.entries.count, 1)
    }

    @Test("leaves out a HEAD response's body, and the length of a 204 and a 304")
    func bodiless() async throws {
        let client = try Self.client { request in
            HTTP.Response(request.method == .head ? 200 : 204, body: request.body)
        }
        let unchanged = try Self.client { _ in HTTP.Response(304) }

        let head = try await client.send(HTTP.Request(.head, orders, body: "tea"))
        let empty = try await client.send(.delete(orders))
        let cached = try await unchanged.send(.get(orders))

        expectEqual(head.headers["Content-Length"], "3")
        expectTrue(head.body.isEmpty)
        expectTrue(!empty.headers.contains("Content-Length"))
        expectTrue(!cached.headers.contains("Content-Length"))
    }
}
