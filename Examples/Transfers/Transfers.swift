import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import InterceptorKitTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Downloads a file from a server that breaks off in the middle, and uploads it again, with progress.
/// Everything happens on this machine.
@main
struct Transfers {
    static func main() async {
        do {
            try await run()
            print("transfers: ok")
        } catch {
            print("transfers: failed: \(error)")
            exit(1)
        }
    }

    private static func run() async throws {
        let content = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        let server = try fileServer(of: content)
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "release.img").path
        let transport = URLSessionTransport()
        defer { transport.close() }
        let client = try HTTP.Client(transport: transport) {
            BaseURLInterceptor(HTTP.URL("\(server.origin)"))
            ErrorFilterInterceptor()
            RetryInterceptor(policy: .standard)
        }

        print("1. A download. The server breaks off in the middle of it.")
        var options = HTTP.DownloadOptions()
        options.expectedChecksum = HTTP.Checksum(of: content)
        let download = client.startDownload(.get("/release.img"), to: path, options: options)
        await show(download.progress)
        let file = try await download.value
        print("   \(file.byteCount) bytes, SHA-256 \(file.checksum, default: "unknown")")
        print("   asked \(server.requests.count) times, for the rest \(file.resumptions) times\n")
        guard file.resumptions == 1 else { throw Unexpected("It was not gone on with.") }

        print("2. An upload of the same file.")
        let upload = client.startUpload(.put("/copies/1"), from: .file(path))
        await show(upload.progress)
        print("   \(try await upload.value.status)\n")
        guard server.requests.last?.body == content else { throw Unexpected("It is another file.") }

        print("3. A download that is cancelled: nothing of it is left.")
        let cancelled = client.startDownload(.get("/release.img"), to: path + ".2")
        for await progress in cancelled.progress where progress.completedBytes > 0 { break }
        client.cancelAll()
        _ = await Task { try await cancelled.value }.result
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        print("   in the folder: \(names.joined(separator: ", "))\n")
        guard names == ["release.img"] else { throw Unexpected("Something was left.") }
    }

    private static func show(_ updates: some AsyncSequence<HTTP.Progress, Never>) async {
        var shown = -1
        for await progress in updates {
            let tenth = Int((progress.fraction ?? 0) * 10)
            if tenth != shown { print("   \(progress)") }
            shown = tenth
        }
    }

    private static func fileServer(of content: Data) throws -> LoopbackServer {
        try LoopbackServer { request in
            guard request.method == .get else { return .status(201) }
            let reply = LoopbackServer.Reply.content(
                content,
                headers: ["ETag": "\"release-7\""],
                for: request
            ).throttled(bytes: 50_000, every: .milliseconds(10))
            return request.number == 1 ? reply.truncated(after: 900_000) : reply
        }
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
