import Dispatch
import Expectations
import InterceptorKitConcurrency
import Synchronization
import TestRun
import Testing

/// Builds for the thread sanitizer have a lock of another kind, for which the same must hold.
@Suite("Lock", .processorBound)
struct LockTests {
    private struct Problem: Error {}

    private final class Shared: Sendable {
        let values = Lock([1])
    }

    @Test("loses no change of many threads at once")
    func exclusive() {
        let shared = Shared()

        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<5000 { shared.values.withLock { $0[0] += 1 } }
        }

        expectEqual(shared.values.withLock { $0 }, [40_001])
    }

    @Test("is free again after an error, and keeps what was changed until then")
    func failure() {
        let shared = Shared()

        #expect(throws: Problem.self) {
            try shared.values.withLock { values in
                values.append(2)
                throw Problem()
            }
        }

        expectEqual(shared.values.withLock { $0 }, [1, 2])
    }
}
