import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Placement")
struct PlacementTests {
    private let recorder = Recorder<String>()

    private func marker(_ name: String, _ placement: Placement?) -> any Interceptor<Int> {
        Marker(name, recorder, placement: placement)
    }

    /// The standard order as ranges of ranks: a stage belongs inside those whose ranks end before its own.
    private static let ranks: [(Placement, ClosedRange<Int>)] = [
        (.callTelemetry, 1...1), (.callerDeadline, 0...2), (.errorFilter, 2...2),
        (.fallback, 2...2), (.responseValidation, 3...8), (.totalTimeout, 3...3),
        (.concurrencyLimit, 4...4), (.idempotencyKey, 5...5), (.requestPreparation, 0...5),
        (.coalescing, 6...6), (.redirect, 7...7), (.cache, 8...8), (.retry, 9...9),
        (.hedge, 9...9), (.token, 10...10), (.cookies, 11...15), (.circuitBreaker, 11...11),
        (.rateLimit, 12...12), (.attemptTimeout, 13...13), (.attemptTelemetry, 14...14),
        (.deadlineField, 14...14), (.compression, 15...15), (.signing, 16...16),
        (.chaos, 17...17), (.localResponse, 18...18),
    ]

    @Test("orders every two standard stages as the table of ranks does")
    func standardOrder() {
        for (outer, outerRanks) in Self.ranks {
            for (inner, innerRanks) in Self.ranks {
                let isOrder = outerRanks.lowerBound <= innerRanks.upperBound
                let repeats = ([outer, inner] as Set).isSubset(of: [.retry, .hedge])

                expectEqual(
                    PlacementTrial.accepts(outer, inner),
                    (isOrder && !repeats),
                    "\(inner) inside \(outer)"
                )
            }
        }
    }

    @Test("refuses an own stage outside one it belongs inside, by consequence")
    func ownStage() {
        let audit = Placement("audit", inside: [.retry], outside: [.signing])
            .consequence(outside: [.retry], "all attempts would be one entry in the audit")

        expectTrue(PlacementTrial.accepts(.retry, audit, .signing))
        expectTrue(PlacementTrial.accepts(.retry, .token, audit, .compression, .signing))
        expectEqual(
            PlacementTrial.refusal(audit, .retry)?.message,
            "Marker is inside Marker: all attempts would be one entry in the audit. Put Marker "
                + "before Marker, or mark the one that is meant to stand there with "
                + "unordered(because:)."
        )
        expectEqual(
            PlacementTrial.refusal(audit, .totalTimeout)?.message.contains(
                "total timeout outside audit"
            ),
            true
        )
        expectEqual(
            PlacementTrial.refusal(.signing, audit)?.message.contains(
                "changed after it was signed"
            ),
            true
        )
        expectEqual(
            PlacementTrial.refusal(.chaos, audit)?.message.contains("bypass what handles"),
            true
        )
    }

    @Test("refuses two stages of your own that repeat, and one beside a retry")
    func repeating() {
        let replay = Placement("replay", inside: [.totalTimeout], repeats: true)

        expectTrue(PlacementTrial.accepts(.totalTimeout, replay))
        expectEqual(PlacementTrial.refusal(replay, replay)?.code, .repeated)
        expectEqual(PlacementTrial.refusal(replay, .retry)?.code, .repeated)
    }

    @Test("adds what has no placement above an own stage that seals the input")
    func sealing() async throws {
        let digest = Placement("digest", inside: [.retry], freezesInput: true)
        let inner = Placement("inner", inside: [digest])
        let pipeline = try Pipeline(
            [marker("retry", .retry), marker("inner", inner)],
            transport: Echo<Int>()
        )

        let joined = try pipeline.adding([marker("plain", nil), marker("digest", digest)])
        _ = try await joined.run(1)

        expectEqual(
            recorder.entries.filter { $0.hasSuffix(">") },
            ["retry>", "plain>", "digest>", "inner>"]
        )
    }

    @Test("is that of each interceptor's stage")
    func stages() {
        let source = FixedCredentialSource(.bearer("t"))
        let stages: [(any Interceptor<HTTP.Request>, Placement)] = [
            (TraceContextInterceptor(), .attemptTelemetry),
            (CallerDeadlineInterceptor(.gRPC), .callerDeadline),
            (DeadlineFieldInterceptor(.gRPC), .deadlineField),
            (LocalResponseInterceptor(), .localResponse),
            (ErrorFilterInterceptor(), .errorFilter),
            (ResponseValidationInterceptor(statuses: 200...200), .responseValidation),
            (IdempotencyKeyInterceptor(), .idempotencyKey),
            (BaseURLInterceptor("https://a.example"), .requestPreparation),
            (CommonParametersInterceptor { _ in [:] }, .requestPreparation),
            (DefaultHeadersInterceptor([:], origins: []), .requestPreparation),
            (UserAgentInterceptor(HTTP.UserAgent("Shop")), .requestPreparation),
            (RedirectInterceptor(), .redirect), (RetryInterceptor(), .retry),
            (HedgeInterceptor(policy: .standard), .hedge),
            (TokenInterceptor(source: source, origins: ["https://a.example"]), .token),
            (CookieInterceptor(), .cookies), (BodyTimeoutInterceptor(), .attemptTimeout),
            (CompressionInterceptor(), .compression),
            (SignInterceptor(.hmacSHA256(keyID: "k", secret: "s")), .signing),
        ]

        for (interceptor, placement) in stages {
            expectEqual(interceptor.placement, placement, "\(type(of: interceptor))")
        }
    }

    @Test("places the deadline field below what takes time, above what signs")
    func deadlineField() {
        expectEqual(
            PlacementTrial.refusal(.deadlineField, .retry)?.message.contains(
                "told of time that is over"
            ),
            true
        )
    }
}
