import CachingRows
import DigestRows
import Measuring
import ProcessFigures
import SigningRows

extension Group {
    static let signing = Group(
        "signing",
        [
            Row("SigV4", .microseconds, .atMost(4)) { try $0.microseconds("SigV4") },
            Row("RFC 9421", .microseconds, .atMost(4)) { try $0.microseconds("RFC 9421") },
            Row("text of RFC 9421 to its hashing", .ratio, .atMost(1)) {
                try $0.ratio("text of RFC 9421 alone", to: "hashing of RFC 9421 alone")
            },
            Row("text of SigV4 to its hashing", .ratio, .atMost(1)) {
                try $0.nanoseconds("SigV4", above: "hashing of SigV4 alone")
                    / $0.nanoseconds("hashing of SigV4 alone")
            },
            Row("TC3", .microseconds, .atMost(8)) { try $0.microseconds("template, TC3") },
            Row("OAuth 1.0a", .microseconds, .atMost(8)) {
                try $0.microseconds("template, OAuth 1.0a")
            },
        ]
    ) { plan in try await plan.costs(of: Signing.all()) }

    static let digests = Group(
        "digests",
        [
            Row("speed of SHA-256 of 1 MiB to swift-crypto's", .ratio, .atLeast(0.9)) {
                try $0.ratio(
                    sha256(.swiftCrypto).workload.name,
                    to: sha256(.interceptorKit).workload.name
                )
            }
        ]
    ) { plan in
        try await plan.costs(of: [sha256(.interceptorKit), sha256(.swiftCrypto)].map(\.workload))
    }

    private static func sha256(_ contender: Digest.Contender) throws -> Digest {
        let digests = Digest.hashes(.sha256, size: 1 << 20)
        guard let digest = digests.first(where: { $0.contender == contender }) else {
            throw NotMeasured("\(contender) does not hash")
        }
        return digest
    }

    static let cacheHits = Group(
        "cache hits",
        [
            Row("cache hit in memory, 1 KiB", .microseconds, .atMost(2.5)) {
                try $0.microseconds("memory, 1024 bytes")
            },
            Row("cache hit on disk, 1 KiB", .microseconds, .atMost(6)) {
                try $0.microseconds("disk, 1024 bytes")
            },
            Row("cache hit on disk, 1 MiB", .microseconds, .words("read once")) {
                try $0.microseconds("disk, 1048576 bytes")
            },
        ]
    ) { plan in
        try await Caching.withTemporaryFolder { folder in
            try await plan.costs(of: Caching.hits(folder))
        }
    }

    static let cacheReads = Group(
        "what a cache hit reads",
        [
            Row("cache hit on disk, 1 MiB, bytes read", .mebibytes, .atMost(1.1)) { $0 }
        ]
    ) { _ in
        try await Caching.withTemporaryFolder { folder in
            let hits = try await Caching.hits(folder)
            guard let hit = hits.first(where: { $0.name == "disk, 1048576 bytes" }) else {
                throw NotMeasured("there is no such hit")
            }
            let count = 20
            let before = try BytesRead.total()
            try await hit.run(count)
            return Double(try BytesRead.total() - before) / Double(count) / Double(1 << 20)
        }
    }
}
