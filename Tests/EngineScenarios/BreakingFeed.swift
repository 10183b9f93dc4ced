import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitConformance
import InterceptorKitStreaming
import InterceptorKitTesting
import Synchronization

/// A server's events, whose connections break so many times, at bytes that a seed decides.
final class BreakingFeed: Sendable {
    private struct State {
        var random: SeededGenerator
        var breaksLeft: Int
        var breaks = 0
    }

    let count: Int
    private let events: [HTTP.ServerSentEvent]
    private let averageSize: Int
    private let state: Lock<State>

    init(count: Int, breaks: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let events = (1...count).map { number in
            let filler = String(repeating: "é", count: random.next(below: 40))
            return HTTP.ServerSentEvent(data: "\(number) \(filler)", id: "\(number)")
        }
        self.count = count
        self.events = events
        averageSize = events.reduce(0) { $0 + Self.size($1) } / count
        state = Lock(State(random: random, breaksLeft: breaks))
    }

    /// How many connections it has broken.
    var breaks: Int { state.withLock(\.breaks) }

    func data(of number: Int) -> String { events[number - 1].data }

    func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
        guard last < count else { return .status(204) }
        return state.withLock { state in
            guard state.breaksLeft > 0 else { return .events(Array(events[last...]), after: nil) }
            let share = (count - last) / state.breaksLeft
            state.breaksLeft -= 1
            state.breaks += 1
            // Now and then it begins too early, as a server does that keeps its place only roughly.
            let overlap = state.random.next(below: 5) == 0 ? state.random.next(below: 6) : 0
            let start = max(0, last - overlap)
            let cut = state.random.next(below: 2 * max(1, share) * averageSize)
            return broken(from: start, cut: cut, &state.random)
        }
    }

    private func broken(
        from start: Int,
        cut: Int,
        _ random: inout SeededGenerator
    ) -> LoopbackServer.Reply {
        var end = start
        var size = 0
        while end < count, size <= cut {
            size += Self.size(events[end])
            end += 1
        }
        let cut = min(cut, size - 1)
        let whole = LoopbackServer.Reply.events(Array(events[start..<end]), after: nil)
        switch random.next(below: 7) {
        case 0, 1: return whole.truncated(after: cut)
        case 2: return whole.resetInBody(after: cut)
        case 3: return whole.chunked(size: 1 + random.next(below: 900)).truncated(after: cut)
        case 4: return whole.chunked(size: 1 + random.next(below: 900)).resetInBody(after: cut)
        case 5: return whole.truncated(after: cut).endingWithConnection()
        default: return random.next(below: 2) == 0 ? .reset : .status(503)
        }
    }

    private static func size(_ event: HTTP.ServerSentEvent) -> Int {
        "id: \(event.id ?? "")\ndata: \(event.data)\n\n".utf8.count
    }
}
