import Foundation
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitCurl
import InterceptorKitTesting
import Measuring

/// A client, and what it asks for again and again.
struct Row: Sendable {
    let name: String
    let isShared: Bool
    private let client: HTTP.Client
    private let request: HTTP.Request
    private let size: Int
    // Keeps the server running.
    private let server: LoopbackServer?

    private init(
        _ name: String,
        _ client: HTTP.Client,
        _ request: HTTP.Request,
        size: Int,
        server: LoopbackServer? = nil
    ) {
        self.name = name
        isShared = server == nil
        self.client = client
        self.request = request
        self.size = size
        self.server = server
    }

    var workload: Workload {
        Workload(name, answer: size) { count in
            var sum = 0
            for _ in 0..<count {
                sum += try await client.send(request).body.collect().count
            }
            return sum
        }
    }

    func run(_ count: Int) async throws -> Int {
        for _ in 0..<count { _ = try await client.send(request).body.collect() }
        return count
    }

    /// - Parameter folder: Where responses are kept on disk; emptied by anyone who made it.
    static func all(_ folder: URL) async throws -> [Row] {
        var rows = [try miss(of: 1024), try miss(of: 1 << 20)]
        for size in [0, 1024, 1 << 20] {
            rows.append(try await hit("memory, \(size) bytes", of: size, in: MemoryCacheStore()))
        }
        rows.append(
            try await hit(
                "memory, 1024 bytes, varying",
                of: 1024,
                in: MemoryCacheStore(),
                answering: ["Vary": "Accept, Accept-Language"],
                asking: ["Accept": "text/html", "Accept-Language": "en"]
            )
        )
        rows.append(
            try await hit(
                "memory, 1024 bytes, one of many users",
                of: 1024,
                in: MemoryCacheStore(),
                asking: ["Authorization": "Bearer 0123456789abcdef0123456789abcdef"]
            )
        )
        for size in [1024, 1 << 20] {
            let store = DiskCacheStore(folder.appending(path: "\(size)").path)
            rows.append(try await hit("disk, \(size) bytes", of: size, in: store))
        }
        return rows
    }

    private static func miss(of size: Int) throws -> Row {
        let content = Data(repeating: 1, count: size)
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Cache-Control": "no-store"], body: content)
        }
        let client = try HTTP.Client(transport: try CurlTransport(), timeout: nil) {
            CacheInterceptor()
        }
        return Row(
            "a server on loopback, \(size) bytes",
            client,
            .get(server.url("/")),
            size: size,
            server: server
        )
    }

    private static func hit(
        _ name: String,
        of size: Int,
        in store: any CacheStore,
        answering more: HTTP.Headers = [:],
        asking: HTTP.Headers = [:]
    ) async throws -> Row {
        let content = Data(repeating: 1, count: size)
        let fields = HTTP.Headers(
            [
                ("Cache-Control", "max-age=3600"), ("Content-Type", "application/json"),
                ("Date", HTTP.text(for: Date())), ("ETag", "\"abc\""),
            ] + more.map { ($0.name, $0.value) }
        )
        let origin = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(200, headers: fields, body: .bytes(content))
        }
        let client = try HTTP.Client(transport: origin, timeout: nil) {
            CacheInterceptor(store: store)
        }
        let request = HTTP.Request.get("https://api.example.com/orders/1", headers: asking)
        _ = try await client.send(request).body.collect()
        guard try await client.send(request).cacheStatus == .hit else {
            throw NotStored(name: name)
        }
        return Row(name, client, request, size: size)
    }
}

private struct NotStored: Error {
    let name: String
}
