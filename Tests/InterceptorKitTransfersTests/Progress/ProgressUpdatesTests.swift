import Expectations
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestSupport
import Testing

@Suite("The progress of a transfer")
struct ProgressUpdatesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("reports bytes, speed and time left, and ends with the last value")
    func progress() async throws {
        let path = folder["file"]
        let seen = try await onEverySeed(0..<50) { simulation in
            let client = try simulation.client(PacedStream.transport) {}
            let download = client.startDownload(.get(page), to: path)
            var seen: [HTTP.Progress] = []
            for await progress in download.progress { seen.append(progress) }
            try requireEqual(download.latestProgress, seen.last)
            _ = try await download.value
            return seen.filter { $0.completedBytes > 0 }.map(\.description)
        }

        expectEqual(
            seen.prefix(4),
            [
                "1000 of 4000 bytes (25 %), 1000 bytes/s, 3 s left",
                "2000 of 4000 bytes (50 %), 1000 bytes/s, 2 s left",
                "3000 of 4000 bytes (75 %), 1000 bytes/s, 1 s left",
                "4000 of 4000 bytes (100 %), 1000 bytes/s, 0 s left",
            ]
        )
        expectEqual(seen.last, seen[3])
    }

    @Test("gives each observer its progress, and a slow one the newest value")
    func slowObserver() async throws {
        let path = folder["file"]
        try await onEverySeed(0..<50) { simulation in
            let client = try simulation.client(PacedStream.transport) {}
            let download = client.startDownload(.get(page), to: path)
            async let others = download.progress.reduce(into: []) { $0.append($1.completedBytes) }
            var seen: [Int] = []
            for await progress in download.progress {
                seen.append(progress.completedBytes)
                try await simulation.runtime.sleep(for: .milliseconds(2500))
            }

            try requireEqual(seen, [0, 2000, 4000])
            try await requireEqual(others.last, 4000)
            try await requireEqual(download.progress.reduce(into: []) { $0.append($1) }.count, 1)
        }
    }
}
