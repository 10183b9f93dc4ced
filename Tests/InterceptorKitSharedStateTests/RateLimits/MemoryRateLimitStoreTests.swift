import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitSharedState

@Suite("MemoryRateLimitStore")
struct MemoryRateLimitStoreTests {
    @Test("admits the burst and one permit for each interval, at any offered rate")
    func rate() async throws {
        let admitted = try await onEverySeed(0..<20) { simulation in
            let store = MemoryRateLimitStore(runtime: simulation.runtime)
            let quota = RateLimitQuota(10, burst: 5)
            var admitted = 0
            for _ in 0..<1000 {
                if case .admitted = try await store.take(
                    1,
                    of: quota,
                    for: "a",
                    waitingAtMost: .zero
                ) {
                    admitted += 1
                }
                try await simulation.runtime.sleep(for: .milliseconds(10))
            }
            return admitted
        }

        // 9.99 s at 10 a second, and the burst.
        expectEqual(admitted, 104)
    }

    @Test("refuses a quota that is not allowed")
    func quotas() async throws {
        let store = MemoryRateLimitStore()
        let quotas = [
            RateLimitQuota(1, per: .seconds(1_000_000_000), burst: .max), RateLimitQuota(0),
            RateLimitQuota(1, per: .zero), RateLimitQuota(1, burst: -1),
        ]

        for quota in quotas {
            await #expect(throws: SettingError.self) {
                try await store.take(1, of: quota, for: "a", waitingAtMost: .zero)
            }
        }
    }

    @Test("keeps long keys apart, each in the room of a digest")
    func longKeys() {
        let long = String(repeating: "x", count: 8000)
        let names = [long + "a", long + "b", "user-7"].map(MemoryRateLimitStore.name(of:))

        expectEqual(names.map(\.utf8.count), [71, 71, 6])
        expectEqual(Set(names).count, 3)
    }

    @Test("forgets keys whose limit is full again, and none before")
    func capacity() async throws {
        let (first, count, isFull) = try await onEverySeed(0..<5) { simulation in
            let store = MemoryRateLimitStore(capacity: 3, runtime: simulation.runtime)
            let quota = RateLimitQuota(1, burst: 1)
            for key in ["a", "b", "c"] {
                _ = try await store.take(1, of: quota, for: key, waitingAtMost: .zero)
            }
            var isFull = false
            do {
                _ = try await store.take(1, of: quota, for: "d", waitingAtMost: .zero)
            } catch StoreError.Code.full {
                isFull = true
            }
            try await simulation.runtime.sleep(for: .seconds(1))
            let first = try await store.take(1, of: quota, for: "d", waitingAtMost: .zero)
            return (first, store.count, isFull)
        }

        expectEqual(first, .admitted(after: .zero, remaining: 0))
        expectEqual(count, 1)
        expectTrue(isFull)
    }
}
