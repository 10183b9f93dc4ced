import Expectations
import Foundation
import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("EventSource properties")
struct EventSourcePropertyTests {
    /// A feed of events that breaks at random, and a server that resumes exactly or too early.
    private struct Plan: Sendable {
        let events: [HTTP.ServerSentEvent]
        let seed: UInt64
        let breaks: Int
        /// How many events a server begins too early at most, and how many a client knows again.
        let overlap: Int

        init(seed: UInt64, events count: Int) {
            var random = SeededGenerator(seed: seed)
            events = (0..<count).map { index in
                let length = Int.random(in: 0..<30, using: &random)
                let data = String(
                    (0..<length).map { _ in "aä\n:€ ".randomElement(using: &random) ?? "a" }
                )
                return HTTP.ServerSentEvent(data: "\(index) \(data)", id: "e\(index)")
            }
            self.seed = seed
            breaks = Int.random(in: 1...30, using: &random)
            overlap = [3, count, 1000].randomElement(using: &random) ?? 3
        }

        /// What the connection of a number sends to a client with an id.
        func reply(after id: String?, number: Int) -> Feed.Reply {
            var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
            let last = id.flatMap { Int($0.dropFirst()) } ?? -1
            guard last + 1 < events.count else { return .noContent }
            // Exactly, some events too early, or all of them again.
            let first =
                switch Int.random(in: 0..<10, using: &random) {
                case 0: max(0, last + 1 - overlap)
                case 1...3: max(0, last + 1 - Int.random(in: 0...overlap, using: &random))
                default: last + 1
                }
            let ending = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
            var bytes = Data()
            for event in events[first...] {
                // One without an id, which may be lost or doubled.
                if Int.random(in: 0..<8, using: &random) == 0 {
                    bytes += Data("data: no id\(ending)\(ending)".utf8)
                }
                var lines = ["id: \(event.id ?? "")"]
                lines += event.data.split(separator: "\n", omittingEmptySubsequences: false)
                    .map { "data: \($0)" }
                if Bool.random(using: &random) { lines.reverse() }
                // Reversed lines of data would be others.
                if lines[0].hasPrefix("data"), lines.count > 2 {
                    lines = lines.dropLast().reversed() + [lines[lines.count - 1]]
                }
                bytes += Data((lines.joined(separator: ending) + ending + ending).utf8)
                if Int.random(in: 0..<8, using: &random) == 0 {
                    bytes += Data(": beat\(ending)".utf8)
                }
            }
            guard number <= breaks else { return Feed.Reply(pieces: pieces(bytes, &random)) }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            var reply = Feed.Reply(pieces: pieces(bytes.prefix(cut), &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: reply.pieces.append(.failure(TransportError(.connectionLost, "It broke.")))
            case 1: reply.pieces.append(.stall)
            case 2: return Int.random(in: 0..<2, using: &random) == 0 ? .status(503) : reply
            default: break
            }
            return reply
        }

        private func pieces(_ bytes: Data, _ random: inout SeededGenerator) -> [Feed.Piece] {
            var rest = bytes
            var pieces: [Feed.Piece] = []
            let most = [1, 7, 1000].randomElement(using: &random) ?? 1
            while !rest.isEmpty {
                let count = Int.random(in: 1...most, using: &random)
                pieces.append(.bytes(Data(rest.prefix(count))))
                rest = rest.dropFirst(count)
            }
            return pieces
        }
    }

    private struct Totals: Sendable {
        var events = 0
        var breaks = 0
        var lost = 0
        var doubled = 0

        static func + (left: Totals, right: Totals) -> Totals {
            Totals(
                events: left.events + right.events,
                breaks: left.breaks + right.breaks,
                lost: left.lost + right.lost,
                doubled: left.doubled + right.doubled
            )
        }
    }

    @Test("neither loses nor doubles an event, wherever connections break")
    func once() async throws {
        let totals = Recorder<Totals>()

        try await besideOtherTests {
            for seed in 0..<seedCount {
                let plan = Plan(seed: seed, events: 10)
                let feed = Feed { request, number in
                    plan.reply(after: request.headers["Last-Event-ID"], number: number)
                }
                var options = HTTP.EventSourceOptions()
                options.minimumInterval = .zero
                options.deduplicationWindow = plan.overlap

                let run = try EventSourceRun(
                    feed,
                    .get("https://a.example/feed"),
                    options,
                    seed: seed
                )

                let events = run.events.filter { $0.data != "no id" }
                expectEqual(events, plan.events, "seed \(seed)")
                expectTrue(run.ending == nil && run.error == nil && run.open == 0, "seed \(seed)")
                let seen = Set(events.map(\.id))
                totals.note(
                    Totals(
                        events: plan.events.count,
                        breaks: run.waits.count,
                        lost: plan.events.count { !seen.contains($0.id) },
                        doubled: events.count - seen.count
                    )
                )
            }
        }

        let all = totals.entries.reduce(Totals(), +)
        print(
            "streams: \(all.events) events over \(all.breaks) breaks, \(all.lost) lost, "
                + "\(all.doubled) doubled"
        )
    }
}
