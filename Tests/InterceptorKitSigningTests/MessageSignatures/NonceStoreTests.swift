import Expectations
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("NonceCache")
struct NonceStoreTests {
    private func note(
        _ nonce: String,
        of keyID: String = "app-1",
        in cache: NonceCache,
        at second: Double
    ) async throws -> NonceCheckResult {
        let date = Date(timeIntervalSince1970: second)
        return try await cache.note(nonce, of: keyID, until: date.addingTimeInterval(10), at: date)
    }

    @Test("remembers each nonce for its time, and less than three times that")
    func window() async throws {
        for start in [0.0, 3, 9.5] {
            let cache = NonceCache()
            _ = try await note("first", in: cache, at: 0)
            try await expectEqual(note("a", in: cache, at: start), .fresh)

            try await expectEqual(note("a", in: cache, at: start + 5), .replayed)
            try await expectEqual(note("b", in: cache, at: start + 9.9), .fresh)
            try await expectEqual(note("a", in: cache, at: start + 9.9), .replayed)
            try await expectEqual(note("c", in: cache, at: start + 30), .fresh)
            try await expectEqual(note("a", in: cache, at: start + 30), .fresh)
        }
    }

    @Test("remembers a nonce for its time, even if the next have a shorter one")
    func longest() async throws {
        let cache = NonceCache()
        let start = Date(timeIntervalSince1970: 0)
        _ = try await cache.note("a", of: "app-1", until: start + 100, at: start)
        _ = try await cache.note("b", of: "app-1", until: start + 2, at: start + 1)

        let result = try await cache.note("a", of: "app-1", until: start + 51, at: start + 50)

        expectEqual(result, .replayed)
    }

    @Test("keeps the nonces of two keys apart")
    func keys() async throws {
        let cache = NonceCache()

        try await expectEqual(note("a", of: "app-1", in: cache, at: 0), .fresh)
        try await expectEqual(note("a", of: "app-2", in: cache, at: 0), .fresh)
        try await expectEqual(note("a", of: "app-2", in: cache, at: 0), .replayed)
    }

    @Test("accepts nothing while full, and continues with the next generation")
    func capacity() async throws {
        let cache = NonceCache(capacity: 2)
        for name in ["a", "b"] { try await expectEqual(note(name, in: cache, at: 0), .fresh) }

        try await expectEqual(note("c", in: cache, at: 1), .full)
        try await expectEqual(note("a", in: cache, at: 1), .replayed)
        try await expectEqual(note("c", in: cache, at: 10), .fresh)
        expectEqual(cache.count, 3)
        try await expectEqual(note("d", in: cache, at: 20), .fresh)
        expectEqual(cache.count, 2)
    }

    @Test("leaves room for other keys, however many nonces one has")
    func fairness() async throws {
        let cache = NonceCache(capacity: 10)
        var results: [NonceCheckResult] = []
        for number in 0..<10 { results.append(try await note("\(number)", in: cache, at: 0)) }

        expectEqual(results.last, .full)
        try await expectEqual(note("a", of: "app-2", in: cache, at: 0), .fresh)
    }
}
