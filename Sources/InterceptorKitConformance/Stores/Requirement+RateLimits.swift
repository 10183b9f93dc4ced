import InterceptorKit
import InterceptorKitSharedState

/// A quota of which no permit is returned during a requirement.
private let slow = RateLimitQuota(4, per: .seconds(3600))

extension StoreRequirement<any RateLimitStore> {
    static let rateLimits: [Self] = [
        Self("admits a burst at once, and nothing above it") { context in
            let key = context.unique("key")
            let admitted = try await context.admissions(20, of: slow, for: key)

            try expect(admitted, is: 4, "The number of admissions")
        },
        Self("admits a burst and no more of many at once") { context in
            let key = context.unique("key")
            let admitted = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await context.admissions(1, of: slow, for: key) }
                }
                return try await group.reduce(0, +)
            }

            try expect(admitted, is: 4, "The number of admissions")
        },
        Self("says what remains") { context in
            let key = context.unique("key")
            var remaining: [Int] = []
            for _ in 0..<4 {
                if case .admitted(_, let left) = try await context.take(1, of: slow, for: key) {
                    remaining.append(left)
                }
            }

            try expect(remaining, is: [3, 2, 1, 0], "What remained")
        },
        Self("says when a permit is there") { context in
            let key = context.unique("key")
            _ = try await context.take(4, of: slow, for: key)

            let decision = try await context.take(1, of: slow, for: key)

            guard case .rejected(let wait) = decision else {
                throw ExpectationFailure("The decision is \(decision).")
            }
            try expect(
                wait > .seconds(840) && wait <= .seconds(900),
                "Of 900 s, \(wait.formattedSeconds) are left."
            )
        },
        Self("takes several permits together, or none") { context in
            let key = context.unique("key")
            _ = try await context.take(2, of: slow, for: key)

            let tooMany = try await context.take(3, of: slow, for: key)
            let rest = try await context.take(2, of: slow, for: key)

            guard case .rejected = tooMany, case .admitted(_, 0) = rest else {
                throw ExpectationFailure("The decisions are \(tooMany) and \(rest).")
            }
        },
        Self("takes nothing when it rejects") { context in
            let key = context.unique("key")
            _ = try await context.take(4, of: slow, for: key)
            let first = try await context.take(1, of: slow, for: key)
            for _ in 0..<10 { _ = try await context.take(1, of: slow, for: key) }

            let last = try await context.take(1, of: slow, for: key)

            guard case .rejected(let early) = first, case .rejected(let late) = last else {
                throw ExpectationFailure("The decisions are \(first) and \(last).")
            }
            try expect(late <= early, "The wait grew from \(early) to \(late).")
        },
        Self("admits later within the longest wait, each after the one before") { context in
            let key = context.unique("key")
            let quota = RateLimitQuota(10, per: .seconds(100), burst: 1)
            var delays: [Duration] = []
            for _ in 0..<4 {
                let decision = try await context.store.take(
                    1,
                    of: quota,
                    for: key,
                    waitingAtMost: .seconds(25)
                )
                if case .admitted(let delay, _) = decision { delays.append(delay) }
            }

            try expect(delays.count, is: 3, "The number of admissions")
            let isSpaced = zip(delays, [0, 10, 20]).allSatisfy { delay, seconds in
                delay <= .seconds(seconds) && delay > .seconds(seconds - 5)
            }
            try expect(isSpaced, "The waits are \(delays).")
        },
        Self("refuses to take no permit, or more than the burst") { context in
            let key = context.unique("key")
            for permits in [0, -1, 5, Int.max] {
                let decision = try? await context.take(permits, of: slow, for: key)
                if case .admitted = decision {
                    throw ExpectationFailure("\(permits) permits are admitted.")
                }
            }
            try expect(
                try await context.admissions(5, of: slow, for: key),
                is: 4,
                "The number of admissions"
            )
        },
        Self("gives permits back with time") { context in
            let key = context.unique("key")
            // The period is the shortest that the store observes.
            let quota = RateLimitQuota(1, per: context.lease, burst: 1)
            let first = try await context.admissions(2, of: quota, for: key)

            try await context.runtime.sleep(for: context.lease * 2)
            let second = try await context.admissions(2, of: quota, for: key)

            try expect([first, second], is: [1, 1], "The numbers of admissions")
        },
        Self("keeps keys apart, of any characters and length") { context in
            let prefix = context.unique("key")
            for text in ["", " ", "a\nb", "{}", "*", "€ 🚄", String(repeating: "k", count: 5000)] {
                let admitted = try await context.admissions(5, of: slow, for: prefix + text)
                try expect(admitted, is: 4, "The number of admissions of the key \(text.prefix(9))")
            }
        },
    ]
}

extension StoreRequirement<any RateLimitStore>.Context {
    nonisolated(nonsending) func take(
        _ permits: Int,
        of quota: RateLimitQuota,
        for key: String
    ) async throws -> RateLimitDecision {
        try await store.take(permits, of: quota, for: key, waitingAtMost: .zero)
    }

    /// Returns the number of consecutive calls that are admitted.
    nonisolated(nonsending) func admissions(
        _ calls: Int,
        of quota: RateLimitQuota,
        for key: String
    ) async throws -> Int {
        var count = 0
        for _ in 0..<calls {
            if case .admitted = try await take(1, of: quota, for: key) { count += 1 }
        }
        return count
    }
}
