import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct ScriptedTransportTests {
    @Test("replies in order and records each send's input, attempt and instant")
    func order() throws {
        let transport = ScriptedTransport<String>(replies: [
            .reply("one"), .reply("two").delayed(by: .seconds(2)),
        ])

        let (replies, end) = try Simulation.run { simulation in
            let call = Call(runtime: simulation.runtime)
            let first = try await transport.send("a", call: call)
            try await simulation.runtime.sleep(for: .seconds(1))
            let second = try await transport.send("b", call: call.withAttempt(2))
            return ([first, second], simulation.now)
        }

        expectEqual(replies, ["one", "two"])
        expectEqual(end.offset, .seconds(3))
        expectEqual(transport.sent.map(\.input), ["a", "b"])
        expectEqual(transport.sent.map(\.attempt), [1, 2])
        expectEqual(transport.sent.map(\.instant.offset), [.zero, .seconds(1)])
    }

    @Test("an exhausted script names the send, its input and the reply count")
    func exhausted() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(503), .status(200)])

        let error = #expect(throws: TestKitError.self) {
            try Simulation.run { simulation in
                let call = Call(runtime: simulation.runtime)
                for _ in 0..<3 {
                    _ = try await transport.send(.get("https://a.example/x?token=1"), call: call)
                }
            }
        }

        expectEqual(error?.code, .exhausted)
        expectEqual(
            error?.description,
            "The script has 2 replies and this is send 3: "
                + "GET https://a.example/x?token=██."
        )
        expectEqual(transport.sent.count, 3)
    }

    @Test("waits happen in the order written: a delay, a gate, a delay")
    func pauses() throws {
        let gate = Gate()
        let transport = ScriptedTransport<Int>(replies: [
            .reply(7).delayed(by: .seconds(1)).held(at: gate).delayed(by: .seconds(2))
        ])

        let (arrival, end) = try Simulation.run { simulation in
            let call = Call(runtime: simulation.runtime)
            async let reply = transport.send(1, call: call)
            try await gate.waitForArrivals(1)
            let arrival = simulation.now
            gate.open()
            _ = try await reply
            return (arrival, simulation.now)
        }

        expectEqual(arrival.offset, .seconds(1))
        expectEqual(end.offset, .seconds(3))
    }

    @Test("a cancelled send ends at once, in a delay and at a gate", arguments: [true, false])
    func cancellation(inDelay: Bool) throws {
        let gate = Gate()
        let step = ScriptStep<Int>.reply(1)
        let transport = ScriptedTransport<Int>(replies: [
            inDelay ? step.delayed(by: .seconds(60)) : step.held(at: gate)
        ])

        let (error, end) = try Simulation.run { simulation in
            let call = Call(runtime: simulation.runtime)
            let errors = Recorded<any Error>()
            let sender = simulation.runtime.start("sender") {
                do { _ = try await transport.send(1, call: call) } catch { errors.note(error) }
            }
            try await simulation.runtime.sleep(for: .seconds(1))
            sender.cancel()
            await sender.value
            return (errors.values.first, simulation.now)
        }

        expectTrue(error is CancellationError)
        expectEqual(end.offset, .seconds(1))
        expectEqual(gate.held, 0)
    }

    @Test("a negative wait is refused with its position in the script")
    func negativeWait() throws {
        let transport = ScriptedTransport<Int>(replies: [.reply(1).delayed(by: .seconds(-2))])

        let error = #expect(throws: TestKitError.self) {
            try Simulation.run { simulation in
                _ = try await transport.send(1, call: Call(runtime: simulation.runtime))
            }
        }

        expectEqual(error?.code, .invalidStep)
        expectEqual(error?.description.hasPrefix("Reply 1 of the script waits -2 s"), true)
    }

    @Test("a response carries its request unless it names another")
    func requestOfResponse() throws {
        let other = HTTP.Request.get("https://other.example/")
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .json(#"{"id": 7}"#), .reply(HTTP.Response(204, request: other)),
        ])

        let (first, second, text) = try Simulation.run { simulation in
            let call = Call(runtime: simulation.runtime)
            let first = try await transport.send(.get("https://a.example/1"), call: call)
            let second = try await transport.send(.get("https://a.example/2"), call: call)
            return (first, second, try await first.text())
        }

        expectEqual(first.request?.url, "https://a.example/1")
        expectEqual(first.headers["Content-Type"], "application/json")
        expectEqual(text, #"{"id": 7}"#)
        expectEqual(second.request?.url, "https://other.example/")
    }
}
