import InterceptorKit
import InterceptorKitSharedState

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StoreRequirement<any IdempotencyStore> {
    static let claims: [Self] = [
        Self("grants a key that is free") { context in
            let lease = try await context.grant(context.key())

            try expect(lease.token > 0, "The token is \(lease.token).")
        },
        Self("tells a second claim how long the first is in progress") { context in
            let key = context.key()
            _ = try await context.grant(key)

            let second = try await context.claim(key)

            guard case .inProgress(let remaining) = second else {
                throw ExpectationFailure("The second claim is \(second).")
            }
            try expect(
                remaining > .seconds(30) && remaining <= .seconds(61),
                "Of a lease of 60 s, \(remaining.formattedSeconds) remain."
            )
        },
        Self("grants one of twenty claims at once") { context in
            let granted = try await context.grantsOfMany(context.key(), context.terms)

            try expect(granted.count, is: 1, "The number of grants")
        },
        Self("grants a repeated claim of the same holder the same lease") { context in
            let key = context.key()
            let first = try await context.grant(key, by: "holder")

            let second = try await context.grant(key, by: "holder")

            try expect(second, is: first, "The second lease")
        },
        Self("refuses another request under a key that is held") { context in
            let key = context.key()
            _ = try await context.grant(key, by: "holder")

            let other = try await context.claim(key, by: "holder", for: "another")

            try expect(other, is: .mismatch, "The claim")
        },
        Self("refuses another request under a key that is completed") { context in
            let key = context.key()
            let isRecorded = try await context.complete(context.grant(key))

            let other = try await context.claim(key, for: "another")

            try expect(isRecorded, "The response was not recorded.")
            try expect(other, is: .mismatch, "The claim")
        },
        Self("keeps principals, routes and keys apart") { context in
            let key = context.key()
            let others = [
                IdempotencyRecordKey(
                    principal: context.unique("principal"),
                    route: key.route,
                    key: key.key
                ),
                IdempotencyRecordKey(principal: key.principal, route: "PUT /", key: key.key),
                IdempotencyRecordKey(principal: key.principal, route: key.route, key: "2"),
            ]

            _ = try await context.grant(key)

            for other in others { _ = try await context.grant(other) }
        },
        Self("returns the recorded response, byte for byte") { context in
            for response in [Data(), Data(0...255), Data("\r\n$-1\r\n\0".utf8)] {
                let key = context.key()
                let isRecorded = try await context.complete(context.grant(key), with: response)

                let repeated = try await context.claim(key)

                try expect(isRecorded, "The response was not recorded.")
                try expect(repeated, is: .completed(response), "The claim")
            }
        },
        Self("returns a recorded response of 64 KiB") { context in
            let key = context.key()
            let response = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            _ = try await context.complete(context.grant(key), with: response)

            let repeated = try await context.claim(key)

            try expect(repeated == .completed(response), "It is another one, or none.")
        },
        Self("takes keys of any characters") { context in
            for text in ["", " ", "a\nb", "{}", "*", "€ 🚄", String(repeating: "k", count: 255)] {
                let key = IdempotencyRecordKey(
                    principal: context.unique(text),
                    route: text,
                    key: text
                )
                _ = try await context.complete(context.grant(key))

                let repeated = try await context.claim(key)

                try expect(repeated, is: .completed(Self.Context.response), "The claim")
            }
        },
    ]
}
