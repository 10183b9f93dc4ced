import Foundation
import InterceptorKit
import InterceptorKitCaching

/// Writes, freshens and removes responses whose bodies follow from their heads.
struct Filler {
    /// How many URLs there are.
    static let places = 48
    private static let tasks = 2

    let store: DiskCacheStore
    let log: Log
    let seed: UInt64

    func run() async throws {
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        try await withThrowingTaskGroup { group in
            for task in 0..<Self.tasks { group.addTask { try await fill(task) } }
            try await group.waitForAll()
        }
    }

    /// Fills the places that are this task's own.
    private func fill(_ task: Int) async throws {
        var version = seed << 32 | UInt64(task) << 24
        var chance = SplitMix64(seed: version)
        while true {
            let place = Int(chance.next() % UInt64(Self.places)) / Self.tasks * Self.tasks + task
            switch chance.next() % 8 {
            case 0:
                for response in try await store.responses(for: Self.key(place)) {
                    log.say("removing \(place)")
                    try await store.remove(response)
                    log.say("removed \(place)")
                }
            case 1, 2:
                for response in try await store.responses(for: Self.key(place)) {
                    try await store.update(Self.freshened(response))
                }
            default:
                version += 1
                let response = Self.response(place, version: version)
                guard let writer = try await store.writer(for: response, length: nil) else {
                    continue
                }
                var body = Self.body(of: version)
                while !body.isEmpty {
                    try await writer.write(body.prefix(30_000))
                    tellProgress()
                    body = body.dropFirst(30_000)
                }
                try await writer.commit()
                log.say("wrote \(place) \(version)")
                tellProgress()
            }
        }
    }

    private func tellProgress() { FileHandle.standardOutput.write(Data("wrote\n".utf8)) }

    static func key(_ place: Int) -> CacheKey { CacheKey(url: "https://example.com/\(place)") }

    static func response(_ place: Int, version: UInt64) -> StoredResponse {
        StoredResponse(
            id: version,
            key: key(place),
            status: 200,
            headers: ["X-Version": "\(version)", "ETag": "\"\(version)\""],
            requestDate: Date(timeIntervalSinceReferenceDate: 0),
            responseDate: Date(timeIntervalSinceReferenceDate: 1)
        )
    }

    private static func freshened(_ response: StoredResponse) -> StoredResponse {
        var headers = response.headers
        headers["Age"] = "\((headers["Age"].flatMap { Int($0) } ?? 0) + 1)"
        return StoredResponse(
            id: response.id,
            key: response.key,
            status: response.status,
            headers: headers,
            requestDate: response.requestDate,
            responseDate: response.responseDate
        )
    }

    /// Some of a few bytes, some of several blocks.
    static func body(of version: UInt64) -> Data {
        var chance = SplitMix64(seed: version)
        let count = chance.next() % 2 == 0 ? 60_000 + chance.next() % 140_000 : chance.next() % 3000
        let words = (0...count / 8).map { _ in chance.next() }
        return unsafe words.withUnsafeBytes { unsafe Data($0.prefix(Int(count))) }
    }
}
