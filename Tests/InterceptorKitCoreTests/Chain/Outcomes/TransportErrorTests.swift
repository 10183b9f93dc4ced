import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("TransportError")
struct TransportErrorTests {
    @Test("says that a request the transport never began to send is unsent")
    func unsent() {
        let closed = TransportError.closedBeforeSending(host: "a.example")
        let late = TransportError.deadlinePassedBeforeSending(host: "a.example")

        expectTrue(closed.isUnsent && late.isUnsent)
        expectEqual([closed.code, late.code], [.closed, .timedOut])
        expectTrue([closed, late].allSatisfy { $0.description.contains("a.example") })
    }
}
