import InterceptorKit
import InterceptorKitSharedState

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StoreRequirement<any IdempotencyStore> {
    static let endings: [Self] = [
        Self("frees a key that is released") { context in
            let key = context.key()
            let first = try await context.grant(key)

            let isReleased = try await context.store.release(first)
            let second = try await context.grant(key)

            try expect(isReleased, "It was not released.")
            try expect(
                second.token > first.token,
                "Token \(second.token) follows \(first.token)."
            )
        },
        Self("lets another request have a key that was released") { context in
            let key = context.key()
            _ = try await context.store.release(context.grant(key))

            let claim = try await context.claim(key, for: "another")

            guard case .granted = claim else { throw ExpectationFailure("The claim is \(claim).") }
        },
        Self("tells at once that the outcome of an abandoned request is unknown") { context in
            let key = context.key()
            let lease = try await context.grant(key)

            let isAbandoned = try await context.store.abandon(lease, keepingFor: .seconds(60))
            let isRecorded = try await context.complete(lease)

            try expect(isAbandoned, "It was not abandoned.")
            try expect(!isRecorded, "The holder recorded a response afterwards.")
            try expect(try await context.claim(key), is: .outcomeUnknown, "A claim")
        },
        Self("does not release, abandon or extend what is completed") { context in
            let key = context.key()
            let lease = try await context.grant(key)
            _ = try await context.complete(lease)

            let isReleased = try await context.store.release(lease)
            let isAbandoned = try await context.store.abandon(lease, keepingFor: .seconds(60))
            let isExtended = try await context.store.extend(lease, terms: context.terms)

            try expect(!isReleased && !isAbandoned && !isExtended, "One of them took effect.")
            let repeated = try await context.claim(key)
            try expect(repeated, is: .completed(Self.Context.response), "A claim")
        },
        Self("does not release or abandon a lease that has ended") { context in
            let key = context.key()
            let lease = try await context.grant(key, context.shortTerms)

            try await context.wait()
            let isReleased = try await context.store.release(lease)
            let isAbandoned = try await context.store.abandon(lease, keepingFor: context.lease)

            try expect(!isReleased && !isAbandoned, "One of them took effect.")
            try expect(try await context.claim(key), is: .outcomeUnknown, "A claim")
        },
        Self("forgets a response after its lifetime") { context in
            let key = context.key()
            let first = try await context.grant(key)
            _ = try await context.complete(first, keepingFor: context.lease)

            try await context.wait()
            let second = try await context.grant(key)

            try expect(
                second.token > first.token,
                "Token \(second.token) follows \(first.token)."
            )
        },
        Self("keeps a response longer than the lease that made it") { context in
            let key = context.key()
            _ = try await context.complete(context.grant(key, context.shortTerms))

            try await context.wait()

            let repeated = try await context.claim(key)
            try expect(repeated, is: .completed(Self.Context.response), "The claim")
        },
        Self("forgets an unknown outcome after its lifetime") { context in
            let key = context.key()
            let terms = IdempotencyTerms(lease: context.lease, lifetime: context.lease)
            _ = try await context.grant(key, terms)

            try await context.wait(past: context.lease * 2)

            _ = try await context.grant(key)
        },
    ]

    static let quotas: [Self] = [
        Self("grants a principal no more keys than its quota") { context in
            let key = context.key()
            var terms = context.terms
            terms.quota = 3
            for number in 1...3 { _ = try await context.grant(key.numbered(number), terms) }

            let fourth = try await context.claim(key.numbered(4), terms)

            guard case .quotaExceeded(let retryAfter) = fourth else {
                throw ExpectationFailure("The fourth claim is \(fourth).")
            }
            try expect(retryAfter >= .zero, "It says to retry after \(retryAfter).")
            _ = try await context.grant(context.key(), terms)
        },
        Self("returns responses to a principal that has used its quota") { context in
            let key = context.key()
            var terms = context.terms
            terms.quota = 1
            _ = try await context.complete(context.grant(key, terms))

            let repeated = try await context.claim(key, terms)

            try expect(repeated, is: .completed(Self.Context.response), "The claim")
        },
        Self("counts released records no more") { context in
            let key = context.key()
            var terms = context.terms
            terms.quota = 1
            _ = try await context.store.release(context.grant(key.numbered(1), terms))

            _ = try await context.grant(key.numbered(2), terms)
        },
        Self("counts records no more whose lifetime is over") { context in
            let key = context.key()
            var terms = context.terms
            terms.quota = 1
            let lease = try await context.grant(key.numbered(1), terms)
            _ = try await context.complete(lease, keepingFor: context.lease)

            try await context.wait()

            _ = try await context.grant(key.numbered(2), terms)
        },
    ]
}

extension IdempotencyRecordKey {
    /// Returns another key of the same principal.
    fileprivate func numbered(_ number: Int) -> IdempotencyRecordKey {
        IdempotencyRecordKey(principal: principal, route: route, key: "\(key)-\(number)")
    }
}
