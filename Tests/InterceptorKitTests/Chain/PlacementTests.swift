import InterceptorKit
import TestSupport
import Testing

@Suite("Placement")
struct PlacementTests {
    private let recorder = Recorder<String>()

    private func marker(_ name: String, _ placement: Placement?) -> any Interceptor<Int> {
        Marker(name, recorder, placement: placement)
    }

    private func refusal(_ placements: Placement...) -> PipelineError? {
        #expect(throws: PipelineError.self) {
            try Pipeline(placements.map { marker("m", $0) }, transport: Echo<Int>())
        }
    }

    private func accepts(_ placements: Placement...) -> Bool {
        (try? Pipeline(placements.map { marker("m", $0) }, transport: Echo<Int>())) != nil
    }

    /// The standard order as ranges of ranks: a stage belongs inside those whose ranks end before its own.
    private static let ranks: [(Placement, ClosedRange<Int>)] = [
        (.callTelemetry, 1...1), (.callerDeadline, 0...2), (.errorFilter, 2...2),
        (.fallback, 2...2), (.responseValidation, 3...8), (.totalTimeout, 3...3),
        (.concurrencyLimit, 4...4), (.idempotencyKey, 5...5), (.requestShaping, 0...5),
        (.coalescing, 6...6), (.redirect, 7...7), (.cache, 8...8), (.retry, 9...9),
        (.hedge, 9...9), (.token, 10...10), (.cookies, 11...15), (.circuitBreaker, 11...11),
        (.rateLimit, 12...12), (.attemptTimeout, 13...13), (.attemptTelemetry, 14...14),
        (.deadlineField, 14...14), (.compression, 15...15), (.signing, 16...16),
        (.chaos, 17...17),
    ]

    @Test("orders every two standard stages as the table of ranks does")
    func standardOrder() {
        for (outer, outerRanks) in Self.ranks {
            for (inner, innerRanks) in Self.ranks {
                let isOrder = outerRanks.lowerBound <= innerRanks.upperBound
                let repeats = ([outer, inner] as Set).isSubset(of: [.retry, .hedge])

                #expect(
                    accepts(outer, inner) == (isOrder && !repeats),
                    "\(inner) inside \(outer)"
                )
            }
        }
    }

    @Test("refuses an own stage outside one it belongs inside, by consequence")
    func ownStage() {
        let audit = Placement("audit", inside: [.retry], outside: [.signing])
            .consequence(outside: [.retry], "all attempts would be one entry in the audit")

        #expect(accepts(.retry, audit, .signing))
        #expect(accepts(.retry, .token, audit, .compression, .signing))
        #expect(
            refusal(audit, .retry)?.message
                == "Marker is inside Marker: all attempts would be one entry in the audit. Put Marker "
                + "before Marker, or mark the one that is meant to stand there with "
                + "unordered(because:)."
        )
        #expect(
            refusal(audit, .totalTimeout)?.message.contains("total timeout outside audit") == true
        )
        #expect(refusal(.signing, audit)?.message.contains("changed after it was signed") == true)
        #expect(refusal(.chaos, audit)?.message.contains("bypass what handles") == true)
    }

    @Test("names the consequence either stage states, the pair's first")
    func consequences() {
        let meter = Placement("meter", outside: [.retry])
            .consequence(inside: [.retry], "each attempt would be metered as a call")
        let ledger = Placement("ledger", inside: [.retry, .token])
            .consequence("the ledger would miss attempts")
            .consequence(outside: [.token], "the ledger would not know the account")

        #expect(refusal(.retry, meter)?.message.contains("would be metered as a call") == true)
        #expect(refusal(ledger, .retry)?.message.contains("would miss attempts") == true)
        #expect(refusal(ledger, .token)?.message.contains("not know the account") == true)
    }

    @Test("orders stages of one's own by each other, through bounds of bounds")
    func bounds() {
        let ledger = Placement("ledger", inside: [.retry])
        let audit = Placement("audit", inside: [ledger])
        let same = Placement("audit", inside: [Placement("ledger", inside: [.retry])])

        #expect(accepts(ledger, audit))
        #expect(refusal(audit, ledger)?.code == .order)
        #expect(refusal(audit, .coalescing)?.code == .order)
        #expect(refusal(same, ledger)?.code == .order)
        #expect(same == audit)
        #expect(Placement("audit") != audit)
        #expect(Placement("retry") != .retry)
    }

    @Test("refuses bounds that contradict each other, by the names of the stages")
    func contradiction() {
        let torn = Placement("audit", inside: [.signing], outside: [.retry])
        let circle = Placement("audit", inside: [.retry], outside: [.retry])
        let above = Placement("above", inside: [torn])

        #expect(refusal(torn)?.code == .contradiction)
        #expect(
            refusal(torn)?.message
                == "Marker has no place in the order: audit is to stand inside signing and outside "
                + "retry, but signing stands inside retry. Change the bounds of its placement."
        )
        #expect(
            refusal(circle)?.message.contains("is to stand inside retry and outside retry.") == true
        )
        #expect(refusal(above)?.code == .contradiction)
    }

    @Test("refuses two stages that each belong inside the other")
    func opposed() {
        let audit = Placement("audit", inside: [.requestShaping], outside: [.callTelemetry])
        let meter = Placement("meter", inside: [.callTelemetry], outside: [.requestShaping])

        #expect(accepts(audit))
        #expect(accepts(meter))
        #expect(refusal(audit, meter)?.code == .contradiction)
        #expect(refusal(meter, audit)?.code == .contradiction)
        #expect(
            refusal(meter, audit)?.message.contains(
                "each of the stages meter and audit is to stand"
            )
                == true
        )
    }

    @Test("refuses two stages of one's own that repeat, and one beside a retry")
    func repeating() {
        let replay = Placement("replay", inside: [.totalTimeout], repeats: true)

        #expect(accepts(.totalTimeout, replay))
        #expect(refusal(replay, replay)?.code == .repeated)
        #expect(refusal(replay, .retry)?.code == .repeated)
    }

    @Test("adds what has no placement above an own stage that seals the input")
    func sealing() async throws {
        let digest = Placement("digest", inside: [.retry], sealsInput: true)
        let inner = Placement("inner", inside: [digest])
        let pipeline = try Pipeline(
            [marker("retry", .retry), marker("inner", inner)],
            transport: Echo<Int>()
        )

        let joined = try pipeline.adding([marker("plain", nil), marker("digest", digest)])
        _ = try await joined.run(1)

        #expect(
            recorder.entries.filter { $0.hasSuffix(">") }
                == ["retry>", "plain>", "digest>", "inner>"]
        )
    }

    @Test("places the deadline field below what takes time, above what signs")
    func deadlineField() {
        #expect(
            DeadlineFieldInterceptor(.gRPC).placement == .deadlineField
        )
        #expect(
            refusal(.deadlineField, .retry)?.message.contains("told of time that is over") == true
        )
    }
}
