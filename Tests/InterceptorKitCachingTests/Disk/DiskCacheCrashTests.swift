import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCaching
import TestRun
import TestSupport
import Testing

@testable import CacheFiller

@Suite(
    "DiskCacheStore with a killed writer",
    .tags(.process),
    .serializedAcrossSuites,
    .enabled(if: FillingProcess.isBuilt, "the program was not built"),
    .timeLimit(.minutes(20))
)
struct DiskCacheCrashTests {
    /// As many as the long form takes, where that is asked for.
    private static let kills = fuzzCount == nil ? 12 : 1000

    @Test("serves every response whole, and has lost none that was committed")
    func kills() async throws {
        let folder = try Folder()
        var account = Account()

        for number in 1...Self.kills {
            try await fillAndKill(folder, seed: UInt64(number))
            account.pendingFiles += folder.draftsOfCache.count
            try account.read(folder["log"])
            try await account.check(DiskCacheStore(folder["cache"]))
            expectTrue(folder.draftsOfCache.isEmpty)
            guard account.damaged + account.lost == 0 else { break }
        }

        print(
            "crash test of DiskCacheStore: \(Self.kills) kills, \(account.commits) commits, "
                + "\(account.pendingFiles) cut off while writing, \(account.served) responses served whole, "
                + "\(account.damaged) damaged, \(account.lost) lost"
        )
        expectEqual(account.damaged, 0)
        expectEqual(account.lost, 0)
        expectTrue(account.commits > Self.kills)
    }

    private func fillAndKill(_ folder: Folder, seed: UInt64) async throws {
        var chance = SplitMix64(seed: seed)
        try? FileManager.default.removeItem(atPath: folder["log"])
        let process = try FillingProcess(["fill", folder["cache"], folder["log"], "\(seed)"])
        try await process.wait(forLines: 1 + Int(chance.next() % 150))
        // A while later, so that it is killed at any moment and not at those which it tells of.
        for _ in 0..<chance.next() % 1000 { await Task.yield() }
        process.kill()
        await process.end()
        expectTrue(process.wasKilled)
    }
}

extension Folder {
    fileprivate var draftsOfCache: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: self["cache/writing"])) ?? []
    }
}

/// What the processes said they did, and what is found.
private struct Account {
    var commits = 0
    var pendingFiles = 0
    var served = 0
    var damaged = 0
    var lost = 0

    /// The version that has to be found at a place, or a later one.
    private var versions: [Int: UInt64] = [:]
    /// Places from which the process was about to remove something when it ended.
    private var removing: Set<Int> = []

    mutating func read(_ log: String) throws {
        removing = []
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        for line in lines {
            let words = line.split(separator: " ")
            guard words.count > 1, let place = Int(words[1]) else { continue }
            switch words[0] {
            case "wrote":
                commits += 1
                versions[place] = UInt64(words[2])
                removing.remove(place)
            case "removing":
                removing.insert(place)
            default:
                versions[place] = nil
                removing.remove(place)
            }
        }
    }

    mutating func check(_ store: DiskCacheStore) async throws {
        for place in 0..<Filler.places {
            let found = try await store.responses(for: Filler.key(place))
            let wanted = versions[place]
            guard let response = found.first, found.count == 1 else {
                if wanted != nil, !removing.contains(place) || found.count > 1 { lost += 1 }
                versions[place] = nil
                continue
            }
            // What was being written when the process ended may have been committed.
            if let wanted, response.id < wanted { lost += 1 }
            versions[place] = response.id
            let isOfVersion = response.headers["X-Version"] == "\(response.id)"
            let body = try await store.body(of: response)?.collect()
            if isOfVersion, body == Filler.body(of: response.id) {
                served += 1
            } else {
                damaged += 1
            }
        }
    }
}
