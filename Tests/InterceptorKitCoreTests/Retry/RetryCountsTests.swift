import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

/// The kinds are written as `c` (connect), `r` (read), `s` (status) and `o` (other); `.` is a success.
@Suite("RetryCounts")
struct RetryCountsTests {
    private struct Busy: ClassifiedError {
        let classification = Classification.transient("busy")
    }

    private static func step(_ kind: Character) -> ScriptStep<HTTP.Request> {
        switch kind {
        case "c": .fail(TransportError(.cannotConnect, "Refused.", isUnsent: true))
        case "n": .fail(TransportError(.nameNotResolved, "Unknown."))
        case "r": .fail(TransportError(.timedOut, "Too late."))
        case "t": .fail(TimeoutError(.attempt, limit: .seconds(1)))
        case "l": .fail(TransportError(.connectionLost, "Lost."))
        case "s": .status(503)
        case "o": .fail(Busy())
        case "x": .fail(LimitError(.rate, nil, retryAfter: .seconds(1), "Not now."))
        default: .status(200)
        }
    }

    /// The cases of urllib3's `test_retry.py`, with `total` as `maxAttempts - 1`, and further kinds of failures.
    @Test(
        "retries each kind of failure as often as its count says",
        arguments: [
            (2, RetryCounts(connect: 3), "cccc", 3), (3, RetryCounts(connect: 2), "cccc", 3),
            (3, RetryCounts(read: 2), "rrrr", 3), (4, RetryCounts(connect: 2), "cccc", 3),
            (4, RetryCounts(connect: 2), "rrr.", 4), (4, RetryCounts(connect: 1), "c.", 2),
            (4, RetryCounts(connect: 1), "cc.", 2), (4, RetryCounts(connect: 1), "oo.", 3),
            (4, RetryCounts(other: 1), "oo.", 2), (4, RetryCounts(read: 0), "r.", 1),
            (4, RetryCounts(status: 2), "sss.", 3), (0, RetryCounts(connect: 9), "c.", 1),
            (4, RetryCounts(connect: 1, read: 1), "crc.", 3), (4, RetryCounts(), "crs.", 4),
            (4, RetryCounts(connect: 0), "n.", 1), (4, RetryCounts(read: 0), "n.", 2),
            (4, RetryCounts(read: 0), "t.", 1), (4, RetryCounts(read: 0), "l.", 1),
            (4, RetryCounts(status: 0), "r.", 2), (4, RetryCounts(connect: 0), "x.", 2),
            (4, RetryCounts(other: 0), "x.", 1),
        ]
    )
    func counts(total: Int, counts: RetryCounts, failures: String, sends: Int) async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.maxAttempts = total + 1
        policy.maxRetries = counts

        let run = try await RetryRun.of(failures.map(Self.step), policy: policy, isVarying: true)

        expectEqual(run.sent.count, sends)
    }

    @Test("sends a POST again only after failures to connect")
    func post() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.maxRetries = RetryCounts(connect: 1)

        let connect = try await RetryRun.of(
            "c.".map(Self.step),
            for: .post(orders, body: "x"),
            policy: policy
        )
        let read = try await RetryRun.of(
            "r.".map(Self.step),
            for: .post(orders, body: "x"),
            policy: policy
        )

        expectEqual(connect.sent.count, 2)
        expectEqual(read.sent.count, 1)
    }

    @Test("holds whatever a hook or a further condition decides")
    func overrides() async throws {
        var hooked = RetryPolicy<HTTP.Request>.steady
        hooked.maxRetries = RetryCounts(status: 1)
        hooked.hook = { _, _, _ in .retry }
        var asked = hooked
        asked.hook = nil
        asked.alsoRetries = { $0.output?.status == 409 }
        let conflicts = Array(repeating: ScriptStep<HTTP.Request>.status(409), count: 3)

        let byHook = try await RetryRun.of(conflicts, policy: hooked)
        let byCondition = try await RetryRun.of(conflicts, policy: asked)

        expectEqual(byHook.sent.count, 2)
        expectEqual(byCondition.sent.count, 2)
    }

    @Test("says in the history which count is used up, if attempts are left")
    func history() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.maxRetries = RetryCounts(status: 1)

        let run = try await RetryRun.of("ss.".map(Self.step), policy: policy)

        try expectEqual(
            run.result.get().attempts.last?.stopReason,
            "the one retry after status failures is used up"
        )
    }

    @Test("refuses negative counts")
    func negative() {
        for (path, name) in [
            (\RetryCounts.connect, "connect"), (\.read, "read"), (\.status, "status"),
            (\.other, "other"),
        ] {
            var policy = RetryPolicy<HTTP.Request>.standard
            policy.maxRetries[keyPath: path] = -1

            let error = #expect(throws: SettingError.self) { try policy.validate() }

            expectEqual(error?.setting, "RetryPolicy.maxRetries.\(name)")
        }
    }
}
