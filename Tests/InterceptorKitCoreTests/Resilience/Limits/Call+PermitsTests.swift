import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Call's permits")
struct CallPermitsTests {
    @Test(
        "are one by default, and from 1 to a billion",
        arguments: [
            (nil, 1), (5, 5), (1, 1), (0, 1), (-1, 1), (.min, 1), (.max, 1_000_000_000),
        ] as [(Int?, Int)]
    )
    func bounds(given: Int?, expected: Int) {
        var call = Call()
        if let given { call.permits = given }

        expectEqual(call.permits, expected)
    }
}
