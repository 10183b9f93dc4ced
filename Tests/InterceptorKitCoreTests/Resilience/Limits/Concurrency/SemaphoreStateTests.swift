import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("SemaphoreState")
struct SemaphoreStateTests {
    @Test("hands a returned permit to the longest waiter, before new calls")
    func firstComeFirstServed() {
        var permits = SemaphoreState<String>(limit: 1, queueLimit: 2)
        _ = permits.enter()
        expectEqual(permits.enter(), .mustWait)
        expectEqual(permits.join("a", as: permits.draw()), .mustWait)
        expectEqual(permits.join("b", as: permits.draw()), .mustWait)
        expectEqual(permits.enter(), .refused)

        expectEqual(permits.release(), "a")
        expectEqual(permits.enter(), .mustWait)
        expectEqual(permits.inUse, 1)
        expectEqual(permits.release(), "b")
        expectEqual(permits.release(), nil)
        expectEqual(permits.inUse, 0)
    }

    @Test("admits a joining call at once if a permit was returned meanwhile")
    func freeMeanwhile() {
        var permits = SemaphoreState<String>(limit: 1, queueLimit: 1)
        _ = permits.enter()
        expectEqual(permits.enter(), .mustWait)
        _ = permits.release()

        expectEqual(permits.join("a", as: permits.draw()), .entered)
        expectEqual(permits.inUse, 1)
    }
}
