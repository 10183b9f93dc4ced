import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import InterceptorKitTransfers
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP.Transfer")
struct TransferTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Four chunks of 1,000 bytes, one a second.
    private static var paced: ScriptedTransport<HTTP.Request> {
        ScriptedTransport { _, call in
            HTTP.Response(
                headers: ["ETag": "\"1\""],
                body: .oneShot(length: 4000, PacedStream(call.runtime))
            )
        }
    }

    @Test("reports bytes, speed and time left, and ends with the last value")
    func progress() async throws {
        let path = folder["file"]
        let seen = try await onEverySeed(0..<50) { simulation in
            let client = try simulation.client(Self.paced) {}
            let download = client.startDownload(.get(page), to: path)
            var seen: [HTTP.Progress] = []
            for await progress in download.progress { seen.append(progress) }
            try #require(download.latestProgress == seen.last)
            _ = try await download.value
            return seen.filter { $0.completedBytes > 0 }.map(\.description)
        }

        #expect(
            seen.prefix(4) == [
                "1000 of 4000 bytes (25 %), 1000 bytes/s, 3 s left",
                "2000 of 4000 bytes (50 %), 1000 bytes/s, 2 s left",
                "3000 of 4000 bytes (75 %), 1000 bytes/s, 1 s left",
                "4000 of 4000 bytes (100 %), 1000 bytes/s, 0 s left",
            ]
        )
        #expect(seen.last == seen[3])
    }

    @Test("gives each observer its progress, and a slow one the newest value")
    func slowObserver() async throws {
        let path = folder["file"]
        try await onEverySeed(0..<50) { simulation in
            let client = try simulation.client(Self.paced) {}
            let download = client.startDownload(.get(page), to: path)
            async let others = download.progress.reduce(into: []) { $0.append($1.completedBytes) }
            var seen: [Int] = []
            for await progress in download.progress {
                seen.append(progress.completedBytes)
                try await simulation.runtime.sleep(for: .milliseconds(2500))
            }

            try #require(seen == [0, 2000, 4000])
            try #require(await others.last == 4000)
            try #require(await download.progress.reduce(into: []) { $0.append($1) }.count == 1)
        }
    }

    @Test("ends at once when cancelled, and leaves nothing")
    func cancel() async throws {
        try await onEverySeed(0..<50) { simulation in
            let folder = try Folder()
            let client = try simulation.client(Self.paced) {}
            let download = client.startDownload(.get(page), to: folder["file"])
            for await progress in download.progress where progress.completedBytes >= 2000 { break }
            download.cancel()
            let result = await Result { try await download.value }

            try #require(throws: CancellationError.self) { try result.get() }
            try #require(simulation.now.offset == .seconds(2))
            try #require(folder.names.isEmpty)
            try requireNothingLeft(in: client)
        }
    }

    @Test("ends as cancelled, whatever the cancelled transport throws")
    func cancelledTransport() async throws {
        try await onEverySeed(0..<50) { simulation in
            let folder = try Folder()
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                HTTP.Response(
                    body: .oneShot(length: 4000, PacedStream(call.runtime, isQuiet: true))
                )
            }
            let download = try simulation.client(transport) {}
                .startDownload(.get(page), to: folder["file"])
            try await simulation.runtime.sleep(for: .milliseconds(1500))
            download.cancel()
            let result = await Result { try await download.value }

            try #require(throws: CancellationError.self) { try result.get() }
        }
    }

    @Test("continues when one waiter is cancelled, and frees that one at once")
    func cancelledWaiter() async throws {
        try await onEverySeed(0..<50) { simulation in
            let folder = try Folder()
            let client = try simulation.client(Self.paced) {}
            let download = client.startDownload(.get(page), to: folder["file"])
            let waiter = Task.child(in: simulation) { try await download.value.byteCount }
            let observer = Task.child(in: simulation) {
                for await _ in download.progress {}
                return simulation.now.offset
            }
            try await simulation.runtime.sleep(for: .milliseconds(1500))
            waiter.cancel()
            observer.cancel()
            let result = await waiter.result
            let observerEnd = try await observer.value
            let end = simulation.now.offset

            try #require(throws: CancellationError.self) { try result.get() }
            try #require(observerEnd == .milliseconds(1500))
            try #require(end == .milliseconds(1500))
            try #require(try await download.value.byteCount == 4000)
        }
    }

    @Test("is cancelled only when nobody holds or observes it any more")
    func dropped() async throws {
        try await onEverySeed(0..<50) { simulation in
            let folder = try Folder()
            let client = try simulation.client(Self.paced) {}
            var watched = client.startDownload(.get(page), to: folder["watched"]).progress
                .makeAsyncIterator()
            _ = client.startDownload(.get(page), to: folder["dropped"])
            var last: HTTP.Progress?
            while let progress = await watched.next() { last = progress }

            try #require(last?.fraction == 1)
            try #require(folder.names == ["watched"])
            try requireNothingLeft(in: client)
        }
    }

    @Test("is cancelled with all of its client, but not by another client")
    func cancelAll() async throws {
        try await onEverySeed(0..<50) { simulation in
            let folder = try Folder()
            let client = try simulation.client(Self.paced) {}
            let other = try simulation.client(Self.paced) {}
            let downloads = (0..<5).map { client.startDownload(.get(page), to: folder["\($0)"]) }
            let kept = other.startDownload(.get(page), to: folder["kept"])
            let plain = Task.child(in: simulation) {
                try await client.download(.get(page), to: folder["plain"]).byteCount
            }
            let random = Int(simulation.runtime.random() % 3500)
            try await simulation.runtime.sleep(for: .milliseconds(random))
            let open = client.openTransfers
            client.cancelAll()
            for download in downloads {
                let result = await Result { try await download.value }
                try #require(throws: CancellationError.self) { try result.get() }
            }
            let plainResult = await plain.result

            try #require(open >= 1)
            try #require(throws: CancellationError.self) { try plainResult.get() }
            try #require(!Task.isCancelled)
            try #require(try await kept.value.byteCount == 4000)
            try #require(folder.names == ["kept"])
            try requireNothingLeft(in: client)
        }
    }

    @Test("keeps the partial file of a cancelled download when asked to")
    func kept() throws {
        let path = folder["file"]
        var options = HTTP.DownloadOptions()
        options.keepsPartial = true
        try Simulation.run { [options] simulation in
            let client = try simulation.client(Self.paced) {}
            let download = client.startDownload(.get(page), to: path, options: options)
            try await simulation.runtime.sleep(for: .milliseconds(1500))
            download.cancel()
            _ = try? await download.value
        }

        #expect(folder.content("file.partial")?.count == 1000)
        #expect(folder.names == ["file.partial", "file.partial.json"])
    }
}

@Suite("HTTP.Progress")
struct ProgressTests {
    @Test("leaves fraction and time unknown if the total is unknown")
    func unknown() {
        let nothing = HTTP.Progress(completedBytes: 5, totalBytes: nil)
        let empty = HTTP.Progress(completedBytes: 0, totalBytes: 0)
        let still = HTTP.Progress(completedBytes: 1, totalBytes: 2, bytesPerSecond: 0)
        let crawl = HTTP.Progress(completedBytes: 1, totalBytes: .max, bytesPerSecond: 1e-300)

        #expect(nothing.fraction == nil && nothing.timeLeft == nil)
        #expect("\(nothing)" == "5 bytes")
        #expect(empty.fraction == 1 && empty.timeLeft == .zero)
        #expect(still.timeLeft == nil)
        #expect(crawl.timeLeft == .seconds(1e9))
    }
}

/// Four chunks of 1,000 bytes, each a second after the one before.
private final class PacedStream: BodyStream {
    private let runtime: Runtime
    private let isQuiet: Bool
    private let count = Lock(0)

    /// - Parameter isQuiet: Whether it takes cancellation for its end.
    init(_ runtime: Runtime, isQuiet: Bool = false) {
        self.runtime = runtime
        self.isQuiet = isQuiet
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number <= 4 else { return nil }
        do {
            try await runtime.sleep(for: .seconds(1))
        } catch {
            guard isQuiet else { throw error }
            return nil
        }
        return Data(count: 1000)
    }

    func cancel() {}
}

extension Result where Failure == any Error {
    nonisolated(nonsending) init(
        catching body: nonisolated(nonsending) () async throws -> Success
    ) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
