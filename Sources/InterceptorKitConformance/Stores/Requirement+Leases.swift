import InterceptorKit
import InterceptorKitSharedState

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StoreRequirement<any IdempotencyStore> {
    static let leases: [Self] = [
        Self("tells that the outcome is unknown when a lease has ended") { context in
            let key = context.key()
            _ = try await context.grant(key, context.shortTerms)

            try await context.wait()

            try expect(try await context.claim(key), is: .outcomeUnknown, "The claim")
        },
        Self("refuses another request under a key whose outcome is unknown") { context in
            let key = context.key()
            _ = try await context.grant(key, context.shortTerms)

            try await context.wait()
            let other = try await context.claim(key, for: "another")

            try expect(other, is: .mismatch, "The claim")
        },
        Self("grants a claim that runs again a larger token") { context in
            let key = context.key()
            let first = try await context.grant(key, context.shortTerms)
            var terms = context.terms
            terms.runsAgain = true

            try await context.wait()
            let second = try await context.grant(key, terms)

            try expect(
                second.token > first.token,
                "Token \(second.token) follows \(first.token)."
            )
        },
        Self("grants one of twenty claims that run again at once") { context in
            let key = context.key()
            _ = try await context.grant(key, context.shortTerms)
            var terms = context.terms
            terms.runsAgain = true

            try await context.wait()
            let granted = try await context.grantsOfMany(key, terms)

            try expect(granted.count, is: 1, "The number of grants")
        },
        Self("does not run again what is in progress") { context in
            let key = context.key()
            _ = try await context.grant(key)
            var terms = context.terms
            terms.runsAgain = true

            let second = try await context.claim(key, terms)

            guard case .inProgress = second else {
                throw ExpectationFailure("The second claim is \(second).")
            }
        },
        Self("keeps a lease that is extended") { context in
            var isKept = false
            // A process that is late rightly loses its lease, and begins again.
            for _ in 0..<5 where !isKept { isKept = try await context.keepsLease() }
            try expect(isKept, "This process was late each time, so it cannot tell.")
        },
        Self("extends no lease that has ended") { context in
            let key = context.key()
            let lease = try await context.grant(key, context.shortTerms)

            try await context.wait()
            let isHeld = try await context.store.extend(lease, terms: context.terms)

            try expect(!isHeld, "It was extended.")
            try expect(try await context.claim(key), is: .outcomeUnknown, "A claim")
        },
        Self("records nothing under a lease that has ended") { context in
            let key = context.key()
            let lease = try await context.grant(key, context.shortTerms)

            try await context.wait()
            let isRecorded = try await context.complete(lease)

            try expect(!isRecorded, "It was recorded.")
            try expect(try await context.claim(key), is: .outcomeUnknown, "A claim")
        },
        Self("records nothing under a lease that another holder has taken over") { context in
            let key = context.key()
            let first = try await context.grant(key, context.shortTerms)
            var terms = context.terms
            terms.runsAgain = true
            try await context.wait()
            let second = try await context.grant(key, terms)

            let isFirstRecorded = try await context.complete(first, with: Data("late".utf8))
            let isFirstHeld = try await context.store.extend(first, terms: terms)
            let isSecondRecorded = try await context.complete(second)
            let isLateRecorded = try await context.complete(first, with: Data("late".utf8))

            try expect(!isFirstRecorded && !isFirstHeld, "The first holder still has the key.")
            try expect(isSecondRecorded, "The second holder's response was not recorded.")
            try expect(!isLateRecorded, "The first holder recorded a second response.")
            let repeated = try await context.claim(key)
            try expect(repeated, is: .completed(Self.Context.response), "A claim")
        },
        Self("records the first response of a lease that completes twice") { context in
            let key = context.key()
            let lease = try await context.grant(key)

            let isFirst = try await context.complete(lease)
            let isSecond = try await context.complete(lease, with: Data("second".utf8))

            try expect(isFirst && isSecond, "A repetition was refused.")
            let repeated = try await context.claim(key)
            try expect(repeated, is: .completed(Self.Context.response), "A claim")
        },
        Self("records nothing under a token that it did not grant") { context in
            let key = context.key()
            let lease = try await context.grant(key)
            let forged = IdempotencyLease(key: key, token: lease.token + 1)

            let isRecorded = try await context.complete(forged)
            let isFree = try await context.complete(
                IdempotencyLease(key: context.key(), token: lease.token)
            )

            try expect(!isRecorded && !isFree, "It was recorded.")
        },
    ]
}
