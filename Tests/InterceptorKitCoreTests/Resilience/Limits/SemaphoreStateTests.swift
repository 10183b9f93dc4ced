import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("SemaphoreState")
struct SemaphoreStateTests {
    @Test("rejects the second call at once with one permit and no queue")
    func noLine() {
        var permits = SemaphoreState<String>(limit: 1, queueLimit: 0)

        #expect(permits.enter() == .entered)
        #expect(permits.enter() == .refused)
        #expect(permits.giveBack() == nil)
        #expect(permits.enter() == .entered)
    }

    @Test("hands a returned permit to the longest waiter, before new calls")
    func firstComeFirstServed() {
        var permits = SemaphoreState<String>(limit: 1, queueLimit: 2)
        _ = permits.enter()
        #expect(permits.enter() == .mustWait)
        #expect(permits.join("a", as: permits.draw()) == .mustWait)
        #expect(permits.join("b", as: permits.draw()) == .mustWait)
        #expect(permits.enter() == .refused)

        #expect(permits.giveBack() == "a")
        #expect(permits.enter() == .mustWait)
        #expect(permits.inUse == 1)
        #expect(permits.giveBack() == "b")
        #expect(permits.giveBack() == nil)
        #expect(permits.inUse == 0)
    }

    @Test("admits a joining call at once if a permit was returned meanwhile")
    func freeMeanwhile() {
        var permits = SemaphoreState<String>(limit: 1, queueLimit: 1)
        _ = permits.enter()
        #expect(permits.enter() == .mustWait)
        _ = permits.giveBack()

        #expect(permits.join("a", as: permits.draw()) == .entered)
        #expect(permits.inUse == 1)
    }
}
