import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CoalescingKey")
struct CoalescingKeyTests {
    @Test("values that contain separators make distinct keys")
    func delimiters() async throws {
        let headers: [HTTP.Headers] = [
            ["A": "1", "B": "2"], ["A": "1b2"], ["A": "1\tB: 2"], ["A": "1;B=2"], ["Ab": "12"],
            ["A": "1", "B": "2", "C": ""], ["A": "1,2"], ["A": "1", "a": "2"], [:],
        ]
        let sends = try await onEverySeed(0..<50) { simulation in
            let service = try CoalescedService(simulation)
            _ = try await service.texts(of: headers.map { .get(orders, headers: $0) })
            return service.transport.sent.count
        }

        expectEqual(sends, headers.count)
        expectTrue(CoalescingKey("a", "bc") != CoalescingKey("ab", "c"))
        expectTrue(CoalescingKey("a", "") != CoalescingKey("a"))
        expectTrue(CoalescingKey("e\u{301}") != CoalescingKey("\u{e9}"))
    }
}
