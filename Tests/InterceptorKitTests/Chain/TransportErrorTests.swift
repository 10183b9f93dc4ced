import InterceptorKit
import Testing

@Suite("TransportError")
struct TransportErrorTests {
    @Test("says that what a transport did not begin to send is certainly unsent")
    func unsent() {
        let closed = TransportError.closedBeforeSending(host: "a.example")
        let late = TransportError.deadlinePassedBeforeSending(host: "a.example")

        #expect(closed.isCertainlyUnsent && late.isCertainlyUnsent)
        #expect([closed.code, late.code] == [.closed, .timedOut])
        #expect([closed, late].allSatisfy { $0.description.contains("a.example") })
    }

    @Test("is of what may have been sent unless told otherwise")
    func sent() {
        #expect(!TransportError(.connectionLost, "The connection broke.").isCertainlyUnsent)
    }
}
