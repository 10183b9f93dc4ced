import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("LimitError")
struct LimitErrorTests {
    @Test("is worth another try only if somebody knows when there will be room")
    func classification() {
        let full = LimitError(.tooManyCalls, nil, "Full.")
        let early = LimitError(.rate, "a", retryAfter: .seconds(2), "Early.")

        expectEqual(full.classification.reason, "limit tooManyCalls")
        expectTrue(!full.classification.isRetryable)
        expectTrue(early.classification.isRetryable)
        expectEqual(early.classification.retryAfter, .seconds(2))
        expectTrue([full, early].allSatisfy { $0.classification.isUnsent })
    }

    @Test("is reported with what is known of it, and passed on")
    func report() {
        let sink = RecordingEventSink()
        let call = Call(events: sink)

        let full = call.reject(LimitError(.tooManyCalls, nil, "Full."))
        _ = call.reject(LimitError(.rate, "a", retryAfter: .seconds(2), "Early."))

        expectEqual(full.code, .tooManyCalls)
        expectEqual(sink.events.map(\.name), [.limitRejected, .limitRejected])
        expectEqual(
            sink.events.map(\.attributes),
            [
                ["reason": .text("tooManyCalls")],
                [
                    "reason": .text("rate"), "authority": .text("a"),
                    "retry_after": .duration(.seconds(2)),
                ],
            ]
        )
    }
}
