import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("TimeoutError")
struct TimeoutErrorTests {
    @Test("describes what happened in whole sentences")
    func messages() {
        expectEqual(
            "\(TimeoutError(.attempt, limit: .seconds(10)))",
            "The attempt was not answered within 10 s and was ended."
        )
        expectEqual(
            "\(TimeoutError(.bodyIdle, limit: .seconds(20)))",
            "No byte of the body arrived for 20 s, so the read was ended."
        )
    }
}
