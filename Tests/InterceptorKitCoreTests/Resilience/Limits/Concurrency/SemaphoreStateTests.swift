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

    /// The cases of .NET's `ConcurrencyLimiter` with a permit count, served oldest first.
    @Test("gives several permits to one call, all or none, and in order")
    func severalPermits() {
        var permits = SemaphoreState<String>(limit: 5, queueLimit: 9)
        expectEqual(permits.enter(3), .entered)
        expectEqual(permits.enter(2), .entered)
        for (name, count) in [("heavy", 4), ("light", 1), ("other", 2)] {
            expectEqual(permits.join(name, as: permits.draw(), count), .mustWait)
        }

        // Two are free, and the light call stays behind the heavy one.
        expectEqual(permits.release(2), nil)
        expectEqual(permits.enter(1), .mustWait)
        expectEqual(permits.release(3), "heavy")
        expectEqual(permits.next(), "light")
        expectEqual(permits.next(), nil)
        expectEqual(permits.inUse, 5)
        expectEqual(permits.release(4), "other")
        expectEqual(permits.enter(.max), .mustWait)
        expectEqual(permits.inUse, 3)
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
