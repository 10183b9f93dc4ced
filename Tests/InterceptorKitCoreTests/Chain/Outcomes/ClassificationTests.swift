import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("Classification")
struct ClassificationTests {
    @Test(
        "is returned unprocessed only if it is known to be unsent",
        arguments: [(false, false), (false, true), (true, false), (true, true)]
    )
    func handedBack(isUnsent: Bool, isReturnedUnprocessed: Bool) {
        let classification = Classification(
            .transient,
            reason: "closed",
            isUnsent: isUnsent,
            isReturnedUnprocessed: isReturnedUnprocessed
        )

        expectEqual(classification.isUnsent, isUnsent)
        expectEqual(classification.isReturnedUnprocessed, (isUnsent && isReturnedUnprocessed))
    }

    /// What this side rejected says nothing about the other, and nobody's mistake does either.
    @Test("counts as the server's failure only what failed or throttles there")
    func failures() {
        let kinds: [Classification.Kind] = [
            .success, .transient, .throttled, .rejected, .unauthorized, .permanent,
        ]

        expectEqual(kinds.filter(\.isServerFailure), [.transient, .throttled])
    }
}
