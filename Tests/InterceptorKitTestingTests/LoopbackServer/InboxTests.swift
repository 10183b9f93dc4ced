import Expectations
import TestRun
import Testing

@testable import InterceptorKitLoopback

@Suite("Inbox", .tags(.sockets), .serializedAcrossSuites)
struct InboxTests {
    @Test("wakes a loop that sleeps once, and one that is awake not at all")
    func wakes() {
        let numbers = connectedSockets()
        let inbox = Inbox(wake: Descriptor(owning: numbers.near))
        let far = Descriptor(owning: numbers.far)
        var buffer = [UInt8](repeating: 0, count: 8)

        inbox.post(.alarm)
        inbox.post(.alarm)
        let first = far.receive(into: &buffer)
        let count = inbox.take().count
        inbox.post(.alarm)
        let awake = far.receive(into: &buffer)
        let more = [inbox.take().count, inbox.take().count]
        inbox.post(.alarm)
        let again = far.receive(into: &buffer)

        expectEqual("\(first)", "bytes(1)")
        expectEqual(count, 2)
        expectEqual("\(awake)", "wouldBlock")
        expectEqual(more, [1, 0])
        expectEqual("\(again)", "bytes(1)")
    }

    @Test("tells who delivers a chunk that nobody wants another when it is over")
    func chunks() async {
        let numbers = connectedSockets()
        let inbox = Inbox(wake: Descriptor(owning: numbers.near))
        let far = Descriptor(owning: numbers.far)

        let waiting = await withCheckedContinuation { sender in
            inbox.post(.chunk(nil, connection: 1, sender))
            inbox.finish()
        }
        let late = await inbox.deliver(nil, connection: 1)

        expectTrue(!waiting)
        expectTrue(!late)
        expectTrue(inbox.take().isEmpty)
        _ = consume far
    }

    @Test("has jobs run elsewhere when it is over, those posted before and after")
    func jobs() async {
        let numbers = connectedSockets()
        let inbox = Inbox(wake: Descriptor(owning: numbers.near))
        let far = Descriptor(owning: numbers.far)
        let before = Task(executorPreference: inbox) { "before" }

        inbox.finish()
        let after = Task(executorPreference: inbox) { "after" }

        await expectEqual(before.value, "before")
        await expectEqual(after.value, "after")
        _ = consume far
    }
}
