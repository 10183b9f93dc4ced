import Engines
import InterceptorKit
import Loading
import Nginx
import Reporting

/// How long after its deadline a call fails that is never answered.
struct DeadlineLateness: CustomStringConvertible {
    private static let count = 500
    private static let inFlight = 10

    private let milliseconds: [Double]

    /// Makes calls with deadlines of 20 to 80 ms from now, ten at a time.
    static func measure(_ server: Nginx, connections: Int) async throws -> DeadlineLateness {
        let opened = try Engine.urlSession.open(connections)
        defer { opened.close() }
        let request = HTTP.Request.get(HTTP.URL(unvalidated: server.url("/held")))
        // The first one is answered, and fills the server's bucket.
        _ = try await opened.transport.send(request, call: Call()).body.collect()
        let milliseconds = try await withThrowingTaskGroup(of: [Double].self) { group in
            for worker in 0..<inFlight {
                group.addTask {
                    var late: [Double] = []
                    for number in 0..<count / inFlight {
                        let wait = Duration.milliseconds(20 + (worker * 31 + number * 7) % 61)
                        late.append(
                            try await lateness(request, over: opened.transport, after: wait)
                        )
                    }
                    return late
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return DeadlineLateness(milliseconds: milliseconds)
    }

    private static func lateness(
        _ request: HTTP.Request,
        over transport: any Transport<HTTP.Request>,
        after wait: Duration
    ) async throws -> Double {
        let start = ContinuousClock.now
        do {
            _ = try await transport.send(request, call: Call().withDeadline(within: wait))
        } catch let error as TransportError where error.code == .timedOut {
            return ((start.duration(to: .now) - wait) / .milliseconds(1))
        }
        throw UnexpectedAnswer("A request that is held back was answered.")
    }

    var description: String {
        let figures = [50.0, 99, 100].map { milliseconds.percentile($0).text(digits: 2) }
        return "deadlines of 20 to 80 ms, \(DeadlineLateness.count) calls, "
            + "\(DeadlineLateness.inFlight) at a time: late by \(figures[0]) ms (p50), "
            + "\(figures[1]) ms (p99), \(figures[2]) ms (most)"
    }
}
