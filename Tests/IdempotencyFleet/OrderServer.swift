import BoundedWaits
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization

/// What the replicas of a fleet serve, and what they change: it hands out orders, keeps the database, and sees
/// what each order's client is told.
final class OrderServer: Sendable {
    private struct Order {
        /// The tokens of all transactions, in order; the order is made in the first.
        var tokens: [Int64] = []
        var successes = 0
        /// What was replayed, each once.
        var records: Set<String> = []
        /// When a replica may have had it last: it committed its effect, or died with it.
        var lastHold = ContinuousClock.now

        /// Whether its client has been told, and told the same by the record.
        var isDone: Bool { successes >= 2 && !records.isEmpty }
    }

    private struct State {
        var orders: [String: Order] = [:]
        var active: [String] = []
        /// The keys of the requests that each process has taken and not answered.
        var taken: [String: [String]] = [:]
        var deathsLeft: Int
        var facts = IdempotencyFleetReport()
    }

    private static let deaths = [
        "claiming", "claimed", "committing", "committed", "completing", "completed",
    ]
    private static let activeOrders = 32
    /// A lease has 2 s; the rest is for stores that collect ended leases later, and for a busy machine.
    private static let longestProgress = Duration.seconds(7)

    private let state: Lock<State>
    private let server = Lock<LoopbackServer?>(nil)
    /// Grows with each answer.
    let changes = EventLog<Void>()

    init(deaths: Int) throws {
        state = Lock(State(deathsLeft: deaths))
        let started = try LoopbackServer { [weak self] request in
            self?.answer(request) ?? .status(500)
        }
        server.withLock { $0 = started }
    }

    deinit { server.withLock { $0?.stop() } }

    var origin: HTTP.Origin {
        server.withLock { $0?.origin } ?? HTTP.Origin(scheme: "http", host: "127.0.0.1")
    }

    /// Says that a replica was killed, whose requests may have got as far as to hold their keys.
    func noteKill(of process: pid_t) {
        let now = ContinuousClock.now
        state.withLock { state in
            for key in state.taken.removeValue(forKey: "\(process)") ?? [] {
                state.orders[key]?.lastHold = now
            }
            state.facts.kills += 1
            state.deathsLeft -= 1
        }
    }

    /// What happened so far.
    var report: IdempotencyFleetReport {
        state.withLock { state in
            var report = state.facts
            for order in state.orders.values {
                report.effectsTwice += order.tokens.count - Set(order.tokens).count
                report.recordedTwice += max(0, order.records.count - 1)
                if order.isDone { report.orders += 1 }
            }
            return report
        }
    }

    private func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let url = HTTP.URL(unvalidated: "https://a.example/?" + (request.query ?? ""))
        let parameters = Dictionary(
            url.queryParameters.map { ($0.name, $0.value) }
        ) { first, _ in first }
        let key = parameters["key"] ?? ""
        switch request.path {
        case "/next":
            return next(parameters["process"] ?? "")
        case "/commit":
            return commit(key, Int64(parameters["token"] ?? "") ?? 0)
        default:
            note(request, of: key, parameters)
            changes.note(())
            return .status(204)
        }
    }

    private func next(_ process: String) -> LoopbackServer.Reply {
        let text: String? = state.withLock { state in
            while state.active.count < Self.activeOrders, state.deathsLeft > 0 {
                let key = "order-\(state.orders.count)"
                state.orders[key] = Order()
                state.active.append(key)
            }
            guard let key = state.active.randomElement() else { return nil }
            state.facts.requests += 1
            state.taken[process, default: []].append(key)
            // Not all come to the moment they are to die at: their request may be a repetition.
            guard state.deathsLeft > 0, Int.random(in: 0..<4) == 0 else { return "\(key) never" }
            return "\(key) \(Self.deaths.randomElement() ?? "never")"
        }
        return text.map { .text($0) } ?? .status(410)
    }

    private func commit(_ key: String, _ token: Int64) -> LoopbackServer.Reply {
        let made: Int64? = state.withLock { state in
            guard var order = state.orders[key], token >= order.tokens.last ?? 0 else { return nil }
            order.tokens.append(token)
            order.lastHold = .now
            state.orders[key] = order
            return order.tokens.first
        }
        return made.map { .text("\($0)") } ?? .status(409)
    }

    private func note(
        _ request: LoopbackServer.Request,
        of key: String,
        _ parameters: [String: String]
    ) {
        let now = ContinuousClock.now
        state.withLock { state in
            guard var order = state.orders[key] else { return }
            let status = parameters["status"] ?? ""
            state.facts.statuses[status, default: 0] += 1
            let process = parameters["process"] ?? ""
            if let index = state.taken[process]?.firstIndex(of: key) {
                state.taken[process]?.remove(at: index)
            }
            if status == "201" {
                order.successes += 1
                if parameters["replayed"] == "true" { order.records.insert(request.text) }
            } else if request.text.contains("in-progress"),
                now - order.lastHold > Self.longestProgress
            {
                state.facts.stuck += 1
            }
            state.orders[key] = order
            if order.isDone { state.active.removeAll { $0 == key } }
        }
    }
}
