import Expectations
import InterceptorKit
import InterceptorKitFaults
import InterceptorKitTesting
import Testing

@Suite("ChaosFault")
struct ChaosFaultTests {
    /// Sends once through one fault in a simulation and returns its outcome and when.
    private func outcome(
        _ fault: ChaosFault<HTTP.Request>,
        body: HTTP.Body = "0123456789",
        seed: UInt64 = 1
    ) throws -> (text: String, error: TransportError?, sends: Int, end: Duration) {
        let base = answering(body)
        return try Simulation.run(seed: seed) { simulation in
            let pipeline = try faulty(base, [fault])
            var text = ""
            var failure: TransportError?
            do {
                let call = Call(runtime: simulation.runtime)
                let response = try await pipeline.run(chaosTarget, call: call)
                text = "\(response.status.code) "
                for try await chunk in response.body {
                    text += "[" + String(decoding: chunk, as: UTF8.self) + "]"
                }
            } catch let error as TransportError {
                failure = error
            }
            return (text, failure, base.sent.count, simulation.now.offset)
        }
    }

    @Test("a refused send never reaches the base and is known to be unsent")
    func refused() throws {
        let (text, error, sends, _) = try outcome(.refused(rate: 1))

        expectEqual(text, "")
        expectEqual(error?.code, .cannotConnect)
        expectEqual(error?.isUnsent, true)
        expectEqual(sends, 0)
    }

    @Test("a reset or a malformed response sends first and is not marked unsent")
    func lost() throws {
        let reset = try outcome(.reset(rate: 1))
        let malformed = try outcome(.malformed(rate: 1))

        expectEqual(reset.error?.code, .connectionLost)
        expectEqual(malformed.error?.code, .protocolViolation)
        expectTrue([reset, malformed].allSatisfy { $0.error?.isUnsent == false })
        expectTrue([reset, malformed].allSatisfy { $0.sends == 1 })
    }

    @Test("an injected status replaces the response without a send")
    func status() throws {
        let (text, error, sends, _) = try outcome(.status(503, rate: 1, body: "busy"))

        expectEqual(text, "503 [busy]")
        expectTrue(error == nil)
        expectEqual(sends, 0)
    }

    @Test("a truncated body ends at a point that the seed decides")
    func truncated() throws {
        let outcomes = try (0..<200).map {
            try outcome(.truncated(rate: 1, upTo: 10), seed: $0)
        }

        let lengths = Set(outcomes.map { $0.text.filter(\.isNumber).count - 3 })
        expectEqual(lengths, Set(0...10))
        expectTrue(outcomes.allSatisfy { $0.text.hasPrefix("200 ") })
        expectTrue(outcomes.allSatisfy { $0.error?.code == .connectionLost })
    }

    @Test("a slow body arrives whole, in pieces with pauses in virtual time")
    func slow() throws {
        let (text, error, _, end) = try outcome(
            .slow(rate: 1, pieces: 4, every: .seconds(3)),
            body: "0123456789"
        )

        expectEqual(text, "200 [0123][4567][89]")
        expectTrue(error == nil)
        expectEqual(end, .seconds(9))
    }

    @Test("a latency is within its range and varies with the seed")
    func latency() throws {
        let ends = try (0..<50).map {
            try outcome(.latency(rate: 1, .seconds(1)...(.seconds(3))), seed: $0).end
        }

        expectTrue(ends.allSatisfy { .seconds(1)...(.seconds(3)) ~= $0 })
        expectTrue(Set(ends).count > 40)
    }

    @Test("a custom fault can change the request")
    func ownFault() throws {
        let reply = try Simulation.run { simulation in
            let pipeline = try faulty(
                ScriptedTransport<Int> { input, _ in input },
                [ChaosFault("doubled", rate: 1) { input, _, send in try await send(input * 2) }]
            )
            return try await pipeline.run(4, call: Call(runtime: simulation.runtime))
        }

        expectEqual(reply, 8)
    }

    @Test("a negative duration or size is refused with its position")
    func settings() {
        let problems = [
            chaosError([.latency(rate: 0, .seconds(-1))]),
            chaosError([.refused(rate: 0), .slow(rate: 0, every: .seconds(-2))]),
            chaosError([.slow(rate: 0, pieces: 0)]),
            chaosError([.truncated(rate: 0, upTo: -5)]),
        ]

        expectEqual(
            problems.compactMap { $0?.description },
            [
                "Fault 1 (latency).delay is -1 s and must be from zero to 100 years.",
                "Fault 2 (slow).every is -2 s and must be from zero to 100 years.",
                "Fault 1 (slow).pieces is 0 and must be at least 1.",
                "Fault 1 (truncated).upTo is -5 and must be at least 0.",
            ]
        )
    }
}
