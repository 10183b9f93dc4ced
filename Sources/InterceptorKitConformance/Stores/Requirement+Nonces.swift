import InterceptorKit
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StoreRequirement<any NonceStore>.Context {
    /// Records a nonce, by default for a minute.
    nonisolated(nonsending) func note(
        _ nonce: String,
        of keyID: String = "key",
        for time: TimeInterval = 60,
        at date: Date? = nil
    ) async throws -> NonceCheckResult {
        let date = date ?? runtime.date
        return try await store.note(
            nonce,
            of: keyID,
            until: date.addingTimeInterval(time),
            at: date
        )
    }
}

extension StoreRequirement<any NonceStore> {
    static let nonces: [Self] = [
        Self("accepts a nonce once") { context in
            let nonce = context.unique("nonce")

            let results = [try await context.note(nonce), try await context.note(nonce)]

            try expect(results, is: [.fresh, .replayed], "The results")
        },
        Self("accepts a nonce in one of twenty checks at once") { context in
            let nonce = context.unique("nonce")

            let results = try await withThrowingTaskGroup(of: NonceCheckResult.self) { group in
                for _ in 0..<20 { group.addTask { try await context.note(nonce) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            try expect(results.count { $0 == .fresh }, is: 1, "The number of fresh ones")
            try expect(results.count { $0 == .replayed }, is: 19, "The number of replays")
        },
        Self("keeps the nonces of other signing keys apart") { context in
            let nonce = context.unique("nonce")

            let results = [
                try await context.note(nonce, of: "a"),
                try await context.note(nonce, of: "b"),
                try await context.note("b" + nonce, of: "a"),
                try await context.note(nonce, of: "ab"),
            ]

            try expect(results, is: Array(repeating: .fresh, count: 4), "The results")
        },
        Self("accepts nonces of 256 bytes and of any characters once") { context in
            for text in ["\r\n$-1\r\n", "{tag}", "€ 🚄", ":", "\0"] {
                let nonce = context.unique(text)
                let long = nonce + String(repeating: "n", count: 256 - nonce.utf8.count)

                let results = [try await context.note(long), try await context.note(long)]

                try expect(results, is: [.fresh, .replayed], "The results")
            }
        },
        Self("remembers a nonce for its time") { context in
            let nonce = context.unique("nonce")
            let time = context.lease.inSeconds * 4
            _ = try await context.note(nonce, for: time)

            try await context.runtime.sleep(for: context.lease * 2)

            try expect(try await context.note(nonce, for: time), is: .replayed, "The result")
        },
        Self("remembers a nonce for its time, whatever the caller's clock") { context in
            let clocks = [0, context.runtime.date.timeIntervalSince1970 + 1_000_000]
            for clock in clocks {
                let nonce = context.unique("nonce")
                let date = Date(timeIntervalSince1970: clock)
                _ = try await context.note(nonce, at: date)

                let second = try await context.note(nonce, at: date)

                try expect(second, is: .replayed, "The result")
            }
        },
    ]
}
