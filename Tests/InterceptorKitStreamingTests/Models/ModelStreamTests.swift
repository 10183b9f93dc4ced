import Expectations
import Foundation
import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting
import Testing

@Suite("ModelStream")
struct ModelStreamTests {
    private struct Part: Decodable, Sendable, Equatable { let t: String }

    private struct Outcome: Sendable {
        var parts: [String] = []
        var error: (any Error)?
        var requests = 0
        var open = 0
        var end: Duration = .zero

        var failure: HTTP.ModelStreamError<Part>? { error as? HTTP.ModelStreamError<Part> }
    }

    private func read(
        _ feed: Feed,
        _ options: HTTP.ModelStreamOptions = HTTP.ModelStreamOptions(),
        decoding decoder: HTTP.EventDecoder<Part> = .json(),
        upTo count: Int = .max
    ) throws -> Outcome {
        try Simulation.run(seed: 1) { simulation in
            let client = HTTP.Client(transport: feed, runtime: simulation.runtime)
            var outcome = Outcome()
            do {
                let request = HTTP.Request.post("https://a.example/chat", body: "{}")
                let parts = client.modelStream(request, decoding: decoder, options: options)
                for try await part in parts {
                    outcome.parts.append(part.t)
                    if outcome.parts.count == count { break }
                }
            } catch {
                outcome.error = error
            }
            outcome.requests = feed.requests.count
            outcome.open = feed.open
            outcome.end = simulation.runtime.now.offset
            return outcome
        }
    }

    private func part(_ text: String) -> String { "data: {\"t\":\"\(text)\"}\n\n" }

    private let broken = TransportError(.connectionLost, "It broke.")

    @Test("gives the parts up to the end event, and ignores what follows")
    func whole() throws {
        // What follows, and how long it is read.
        let rests: [([Feed.Piece], Duration)] = [
            ([.wait(.milliseconds(99)), .text(part("c"))], .milliseconds(99)),
            ([.stall], .milliseconds(100)),
            ([.failure(broken)], .zero),
            ([.text(String(repeating: ":", count: 4096)), .stall], .zero),
        ]
        for (rest, time) in rests {
            let output = Feed.Piece.text(part("a") + part("b") + "data: [DONE]\n\n")

            let outcome = try read(Feed(Feed.Reply(pieces: [output] + rest)))

            expectEqual(outcome.parts, ["a", "b"])
            expectTrue(outcome.error == nil && outcome.requests == 1 && outcome.open == 0)
            expectEqual(outcome.end, time)
        }
    }

    @Test("gives the part that its last event carries, and reads on behind it")
    func last() throws {
        let last = "event: completed\ndata: {\"t\":\"usage\"}\n"
        let decoder = HTTP.EventDecoder<Part>.json(isLast: { $0.type == "completed" })
        let endings: [[Feed.Piece]] = [
            [.text("\n" + part("c"))], [.text("\n"), .stall], [], [.failure(broken)],
        ]
        for ending in endings {
            let pieces = [Feed.Piece.text(part("a") + last)] + ending

            let outcome = try read(Feed(Feed.Reply(pieces: pieces)), decoding: decoder)

            expectEqual(outcome.parts, ["a", "usage"])
            expectTrue(outcome.error == nil && outcome.requests == 1 && outcome.open == 0)
        }
    }

    @Test("ends with the body, if so set, and not within an event")
    func endsWithBody() throws {
        var options = HTTP.ModelStreamOptions()
        options.endsWithBody = true

        let whole = try read(Feed(.text(part("a") + part("b"))), options)
        let bare = try read(Feed(.text(part("a") + "data: {\"t\":\"b\"}")), options)
        let cut = try read(Feed(.text(part("a") + "data: {\"t\":")), options)
        let none = try read(Feed(.text(""), .text(""), .text("")), options)

        expectTrue(whole.error == nil && whole.open == 0)
        expectEqual([whole.parts, bare.parts, cut.parts], [["a", "b"], ["a", "b"], ["a"]])
        expectEqual(cut.failure?.code, .interrupted)
        expectTrue(none.requests == 3 && none.error != nil)
    }

    @Test("is sent again while no event has come, three times at most")
    func before() throws {
        let reset = Feed.Reply.failure(broken)
        let empty = Feed.Reply.text(": hello\n\n")

        let recovered = try read(Feed(reset, empty, .text(part("a") + "data: [DONE]\n\n")))
        let lost = try read(Feed(reset, .events(.stall), empty, .text(part("a"))))

        expectTrue(recovered.parts == ["a"] && recovered.requests == 3)
        expectEqual(lost.requests, 3)
        expectEqual((lost.error as? HTTP.StreamingError)?.code, .closed)
    }

    @Test("breaks off after an event with what was received, and is sent once")
    func after() throws {
        let endings: [[Feed.Piece]] = [[], [.failure(broken)], [.stall]]
        for ending in endings {
            let pieces = [Feed.Piece.text(part("a") + part("b") + "data: {\"t\"")] + ending

            let outcome = try read(Feed(Feed.Reply(pieces: pieces)))

            expectEqual(outcome.parts, ["a", "b"])
            expectEqual(outcome.failure?.received.map(\.t), ["a", "b"])
            expectEqual(outcome.failure?.code, .interrupted)
            expectEqual(outcome.failure?.keepsAll, true)
            expectTrue(outcome.requests == 1 && outcome.open == 0)
        }
    }

    @Test(
        "ends with an error that the server reports",
        arguments: [
            "event: error\ndata: overloaded\n\n",
            "data: {\"error\":{\"message\":\"overloaded\"}}\n\n",
        ]
    )
    func reported(event: String) throws {
        let outcome = try read(Feed(.text(part("a") + event + part("b"))))

        expectEqual(outcome.parts, ["a"])
        expectEqual(outcome.failure?.code, .reportedError)
        let cause = outcome.failure?.cause as? HTTP.StreamingError
        expectEqual(cause?.event?.data.contains("overloaded"), true)
        expectEqual(outcome.failure.map { "\($0)".contains(": \"overloaded\".") }, true)
    }

    @Test("shows no secret of an error that the server reports")
    func secretInReport() throws {
        let outcome = try read(Feed(.text(part("a") + "data: {\"error\":\"token=abcdef\"}\n\n")))

        expectEqual(outcome.failure.map { "\($0)".contains(": \"token=██\".") }, true)
    }

    @Test(
        "takes an empty member error, and the word in a text, for none",
        arguments: ["null", "false", "\"\"", "{}", "[]", "0"]
    )
    func noError(nothing: String) throws {
        let events = """
            data: {"error":\(nothing),"t":"a"}\n\ndata: {"t":"\\"error\\""}\n\ndata: [DONE]\n\n
            """

        let outcome = try read(Feed(.text(events)))

        expectTrue(outcome.parts == ["a", "\"error\""] && outcome.error == nil)
    }

    @Test(
        "ends at an end event with blanks, and skips empty events",
        arguments: ["data: [DONE] \n\n", "data:\n\ndata:\ndata: \n\ndata:[DONE]\r\r\n\r\n"]
    )
    func blanks(end: String) throws {
        let outcome = try read(Feed(.text(part("a") + end)))

        expectTrue(outcome.parts == ["a"] && outcome.error == nil)
    }

    @Test("ends at an end event without its empty line, whatever follows")
    func cutOff() throws {
        let endings: [[Feed.Piece]] = [[], [.failure(broken)], [.stall]]
        for ending in endings {
            for line in ["data: [DONE]", "data: [DONE]\n"] {
                let outcome = try read(
                    Feed(Feed.Reply(pieces: [.text(part("a") + line)] + ending))
                )

                expectTrue(outcome.parts == ["a"] && outcome.error == nil && outcome.open == 0)
            }
        }
    }

    @Test("breaks off at an event that is no part")
    func invalid() throws {
        let outcome = try read(Feed(.text(part("a") + "data: {\"x\":1}\n\n")))

        expectEqual(outcome.failure?.code, .invalidEvent)
        expectEqual(outcome.failure?.received.map(\.t), ["a"])
    }

    @Test("ends where its decoder says, and skips signs of life")
    func decoder() throws {
        let events = "event: ping\ndata: {}\n\n" + part("a") + "event: message_stop\ndata: {}\n\n"

        let outcome = try read(Feed(.text(events)), decoding: .json { $0.type == "message_stop" })

        expectTrue(outcome.parts == ["a"] && outcome.error == nil)
    }

    @Test("throws a refusal with its response, and does not send again")
    func refused() async throws {
        let outcome = try read(Feed(.status(400, [:], "bad question")))

        let error = try unwrap(outcome.error as? HTTP.StreamingError)
        expectEqual(error.code, .refused)
        try await expectEqual(error.response?.text(), "bad question")
        expectEqual(outcome.requests, 1)
    }

    @Test("keeps no more for an error than its limit")
    func receivedLimit() throws {
        var options = HTTP.ModelStreamOptions()
        options.receivedLimit = part("a").utf8.count

        let outcome = try read(Feed(.text(part("a") + part("b") + part("c"))), options)

        expectEqual(outcome.parts, ["a", "b", "c"])
        expectEqual(outcome.failure?.received.map(\.t), ["a"])
        expectEqual(outcome.failure?.keepsAll, false)
    }

    @Test("releases the connection when the loop is left")
    func leaving() throws {
        let outcome = try read(Feed(.events(.text(part("a") + part("b")), .stall)), upTo: 1)

        expectTrue(outcome.open == 0 && outcome.end == .zero)
    }

    @Test("ends at once when its task is cancelled, in a read and in a wait")
    func cancelled() throws {
        for feed in [Feed(.events(.text(part("a")), .stall)), Feed(.failure(broken))] {
            let (time, isCancelled) = try Simulation.run(seed: 3) { simulation in
                let client = HTTP.Client(transport: feed, runtime: simulation.runtime)
                var options = HTTP.ModelStreamOptions()
                options.backoff = Backoff(base: .seconds(60), cap: .seconds(60), jitter: .none)
                let parts = client.modelStream(
                    .post("https://a.example/chat"),
                    as: Part.self,
                    options: options
                )
                let task = Task { for try await _ in parts {} }
                try await simulation.runtime.sleep(for: .seconds(5))
                task.cancel()
                let result = await task.result
                var isCancelled = false
                if case .failure(let error) = result { isCancelled = error is CancellationError }
                return (simulation.runtime.now.offset, isCancelled)
            }

            expectTrue(time == .seconds(5) && isCancelled && feed.open == 0)
        }
    }
}
