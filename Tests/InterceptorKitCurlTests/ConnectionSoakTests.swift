import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "CurlTransport's connections",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ConnectionSoakTests {
    private static let methods: [HTTP.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, HTTP.Method(rawValue: "QUERY"),
    ]
    private static let statuses: [HTTP.Status] = [
        200, 204, 205, 301, 304, 401, 404, 417, 429, 500, 503,
    ]

    private static func bodies(_ file: String, _ emptyFile: String) -> [HTTP.Body] {
        let chunk = Data("chunk".utf8)
        let none = AsyncStream<Data> { $0.finish() }
        let one = AsyncStream<Data> { source in
            source.yield(chunk)
            source.finish()
        }
        return [
            .empty, "in memory", .bytes(Data(count: 100_000)), .file(file), .file(emptyFile),
            .replayable(length: 0) { AsyncStream<Data> { $0.finish() } },
            .replayable { AsyncStream<Data> { $0.finish() } },
            .oneShot(length: 0, none), .oneShot(length: 5, one),
        ]
    }

    @Test("are reused after every method, kind of body and status")
    func everyCombination() async throws {
        var settings = CurlTransport.Settings()
        settings.maximumConnectionsPerHost = 2
        let transport = try CurlTransport(settings: settings)
        let server = try LoopbackServer { request in
            let status = HTTP.Status(Int(request.path.dropFirst()) ?? 500)
            return .status(status, body: status == 205 ? "" : "content")
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["full", "empty"].map { folder.appending(path: $0).path }
        try Data("content".utf8).write(to: URL(fileURLWithPath: files[0]))
        try Data().write(to: URL(fileURLWithPath: files[1]))
        var sent = 0
        var refused = 0

        for method in Self.methods {
            for status in Self.statuses {
                let isBodiless = method == .head || [204, 205, 304].contains(status)
                let expected = isBodiless ? "" : "content"
                for body in Self.bodies(files[0], files[1]) {
                    let url = server.url("/\(status.code)")
                    do {
                        let response = try await transport.send(
                            HTTP.Request(method, url, body: body),
                            call: Call().withDeadline(within: .seconds(10))
                        )
                        let text = try await response.text()
                        sent += 1
                        expectEqual(response.status, status)
                        expectEqual(text, expected)
                    } catch is HTTP.RequestError {
                        // Content of HEAD, or of what may have none.
                        expectEqual(method, .head)
                        refused += 1
                    }
                }
            }
        }

        print(
            "soak curl: \(sent) exchanges, \(refused) refused, \(server.connectionCount) connections"
        )
        expectEqual(sent + refused, Self.methods.count * Self.statuses.count * 9)
        expectEqual(refused, Self.statuses.count * 5)
        expectEqual(server.connectionCount, 1)
        expectEqual(server.openConnections, 1)
    }
}
