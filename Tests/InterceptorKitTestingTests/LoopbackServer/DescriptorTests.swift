import Expectations
import TestRun
import Testing

@testable import InterceptorKitLoopback

@Suite("Descriptor", .tags(.sockets), .serializedAcrossSuites)
struct DescriptorTests {
    @Test("receives at most a buffer of what was sent, and never waits for more")
    func transfers() throws {
        let pair = try Descriptor.pair()
        var buffer = [UInt8](repeating: 0, count: 4)

        let none = pair.far.receive(into: &buffer)
        let sent = pair.near.send(Array("xabcde".utf8), from: 1)
        let first = pair.far.receive(into: &buffer)
        let start = buffer
        let second = pair.far.receive(into: &buffer)
        pair.near.finishSending()
        let end = pair.far.receive(into: &buffer)

        expectEqual("\(none)", "wouldBlock")
        expectEqual("\(sent)", "bytes(5)")
        expectEqual("\(first)", "bytes(4)")
        expectEqual(start, Array("abcd".utf8))
        expectEqual("\(second)", "bytes(1)")
        expectEqual(buffer[0], UInt8(ascii: "e"))
        expectEqual("\(end)", "ended")
    }

    @Test("never waits to send, and says when the peer is gone")
    func full() {
        let numbers = connectedSockets()
        let near = Descriptor(owning: numbers.near)
        var far: Descriptor? = Descriptor(owning: numbers.far)
        let slice = [UInt8](repeating: 1, count: 64 << 10)

        var outcome = Transfer.bytes(0)
        var rounds = 0
        while case .bytes = outcome, rounds < 10_000 {
            outcome = near.send(slice, from: 0)
            rounds += 1
        }
        far = nil
        _ = consume far
        let late = near.send(slice, from: 0)

        expectEqual("\(outcome)", "wouldBlock")
        expectEqual("\(late)", "ended")
    }

    @Test("listens on a free port, and accepts who has connected")
    func listens() throws {
        let listener = try Descriptor.listening(port: 0)
        let port = listener.localPort

        let none = accepts(listener)
        let client = try RawClient(port: port)
        let one = accepts(listener)

        expectTrue((1...65_535).contains(port))
        expectTrue(!none)
        expectTrue(one)
        _ = client
    }

    private func accepts(_ listener: borrowing Descriptor) -> Bool {
        if case .connection = listener.accept() { true } else { false }
    }

    @Test("refuses a number that is no port", arguments: [-1, 65_536])
    func ports(number: Int) {
        let error = #expect(throws: TestKitError.self) {
            _ = try Descriptor.listening(port: number)
        }

        expectEqual(error?.code, .cannotStart)
        expectEqual(error?.message, "\(number) is not a port; use 0 to 65535.")
    }
}
