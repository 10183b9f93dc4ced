import Expectations
import Testing

@testable import InterceptorKitLoopback

@Suite("WaitCondition")
struct WaitConditionTests {
    private func facts(_ count: Int) -> ServerLog.Facts {
        ServerLog.Facts(requestCount: count, openConnections: count, receivedBytes: count)
    }

    @Test("holds for so many requests or bytes or more, and exact connections")
    func holds() {
        let counts = 1...3

        expectEqual(counts.map { WaitCondition.requests(2).holds(facts($0)) }, [false, true, true])
        expectEqual(
            counts.map { WaitCondition.receivedBytes(2).holds(facts($0)) },
            [false, true, true]
        )
        expectEqual(
            counts.map { WaitCondition.openConnections(2).holds(facts($0)) },
            [false, true, false]
        )
    }

    @Test(
        "says what was waited for, one or several, and what there was",
        arguments: [
            (.requests(1), "1 request; received: 7."), (.requests(2), "2 requests; received: 7."),
            (.openConnections(0), "0 open connections; open: 7."),
            (.openConnections(1), "1 open connection; open: 7."),
            (.receivedBytes(1), "1 byte; received: 7."),
            (.receivedBytes(9), "9 bytes; received: 7."),
        ] as [(WaitCondition, String)]
    )
    func says(condition: WaitCondition, text: String) {
        expectEqual(condition.timedOut(.seconds(2), facts(7)).message, "Waited 2 s for \(text)")
        expectEqual(
            condition.stopped(facts(7)).message,
            "The server was stopped while waiting for \(text)"
        )
    }
}
