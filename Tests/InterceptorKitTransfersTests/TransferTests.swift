import Expectations
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestSupport
import Testing

@Suite("HTTP.Transfer")
struct TransferTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("ends at once when cancelled, and leaves nothing")
    func cancel() async throws {
        try await onEverySeed(0..<50) { simulation in
            let folder = try Folder()
            let client = try simulation.client(PacedStream.transport) {}
            let download = client.startDownload(.get(page), to: folder["file"])
            for await progress in download.progress where progress.completedBytes >= 2000 { break }
            download.cancel()
            let result = await Result { try await download.value }

            try #require(throws: CancellationError.self) { try result.get() }
            try requireEqual(simulation.now.offset, .seconds(2))
            try require(folder.names.isEmpty)
            try requireNoLeaks(in: client)
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
            let client = try simulation.client(PacedStream.transport) {}
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
            try requireEqual(observerEnd, .milliseconds(1500))
            try requireEqual(end, .milliseconds(1500))
            try await requireEqual(download.value.byteCount, 4000)
        }
    }

    @Test("is cancelled only when nobody holds or observes it any more")
    func dropped() async throws {
        try await onEverySeed(0..<50) { simulation in
            let folder = try Folder()
            let client = try simulation.client(PacedStream.transport) {}
            var watched = client.startDownload(.get(page), to: folder["watched"]).progress
                .makeAsyncIterator()
            _ = client.startDownload(.get(page), to: folder["dropped"])
            var last: HTTP.Progress?
            while let progress = try await watched.next() { last = progress }

            try requireEqual(last?.fraction, 1)
            try requireEqual(folder.names, ["watched"])
            try requireNoLeaks(in: client)
        }
    }

    @Test("is cancelled with all of its client, but not by another client")
    func cancelAll() async throws {
        try await onEverySeed(0..<50) { simulation in
            let folder = try Folder()
            let client = try simulation.client(PacedStream.transport) {}
            let other = try simulation.client(PacedStream.transport) {}
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

            try require(open >= 1)
            try #require(throws: CancellationError.self) { try plainResult.get() }
            try require(!Task.isCancelled)
            try await requireEqual(kept.value.byteCount, 4000)
            try requireEqual(folder.names, ["kept"])
            try requireNoLeaks(in: client)
        }
    }

    @Test("keeps the partial file of a cancelled download when asked to")
    func kept() throws {
        let path = folder["file"]
        var options = HTTP.DownloadOptions()
        options.keepsPartial = true
        try Simulation.run { [options] simulation in
            let client = try simulation.client(PacedStream.transport) {}
            let download = client.startDownload(.get(page), to: path, options: options)
            try await simulation.runtime.sleep(for: .milliseconds(1500))
            download.cancel()
            _ = try? await download.value
        }

        expectEqual(folder.content("file.partial")?.count, 1000)
        expectEqual(folder.names, ["file.partial", "file.partial.json"])
    }
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
