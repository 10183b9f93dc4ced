public import Foundation
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitCurl
import InterceptorKitTesting
public import Measuring

/// A client that asks for the same again and again, and has the body collected.
public enum Caching {
    /// Does work with a new folder, which is removed afterwards.
    public static func withTemporaryFolder<Result>(
        _ body: (URL) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    /// What a server on loopback answers, past the cache.
    public static func misses() throws -> [Workload] {
        [try miss(of: 1024), try miss(of: 1 << 20)]
    }

    /// What a store answers.
    /// - Parameter folder: Where responses are kept on disk; emptied by anyone who made it.
    public static func hits(_ folder: URL) async throws -> [Workload] {
        var rows: [Workload] = []
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

    private static func miss(of size: Int) throws -> Workload {
        let content = Data(repeating: 1, count: size)
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Cache-Control": "no-store"], body: content)
        }
        let client = try HTTP.Client(transport: try CurlTransport(), timeout: nil) {
            CacheInterceptor()
        }
        let request = HTTP.Request.get(server.url("/"))
        return Workload("a server on loopback, \(size) bytes", answer: size) { count in
            // Keeps the server running.
            defer { withExtendedLifetime(server) {} }
            return try await collect(count, client, request)
        }
    }

    private static func hit(
        _ name: String,
        of size: Int,
        in store: any CacheStore,
        answering more: HTTP.Headers = [:],
        asking: HTTP.Headers = [:]
    ) async throws -> Workload {
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
        return Workload(name, answer: size) { try await collect($0, client, request) }
    }

    private static func collect(
        _ count: Int,
        _ client: HTTP.Client,
        _ request: HTTP.Request
    ) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum += try await client.send(request).body.collect().count }
        return sum
    }
}

private struct NotStored: Error {
    let name: String
}
