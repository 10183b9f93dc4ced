import Foundation
import Hummingbird
import InterceptorKit

/// What the gateway says of itself.
struct Board: Sendable {
    /// The answer of `/health`.
    struct Summary: Codable, Sendable {
        struct Upstream: Codable, Sendable {
            var breaker: String
            var opened: Int
            var closed: Int
        }

        /// `ok`, or `degraded` while a breaker is not closed. The gateway itself is alive either way.
        var status: String
        var serving: Int
        var upstreams: [String: Upstream]
    }

    let upstreams: [Upstream]
    let journal: BreakerJournal
    let metrics: CountingMetrics
    let timeline: Timeline
    let served: ConcurrencyLimiter

    var summary: Summary {
        let entries = journal.entries
        var summary = Summary(status: "ok", serving: served.underWay(), upstreams: [:])
        for upstream in upstreams {
            let state = upstream.breaker.status(of: "\(upstream.origin)").state
            if state != .closed { summary.status = "degraded" }
            let own = entries.filter { $0.upstream == upstream.name }.map(\.change.to)
            summary.upstreams[upstream.name] = Summary.Upstream(
                breaker: state.description,
                opened: own.count { $0 == .open },
                closed: own.count { $0 == .closed }
            )
        }
        return summary
    }

    func addRoutes(to router: Router<GatewayContext>) {
        router.get("health") { _, _ in
            let text = String(decoding: try JSONEncoder().encode(summary), as: UTF8.self)
            return page(text, "application/json")
        }
        router.get("status") { _, _ in page(StatusPage(board: self).html) }
        router.get("status/calls") { _, _ in page(timeline.html(title: "The gateway's last calls"))
        }
    }

    private func page(_ text: String, _ type: String = "text/html; charset=utf-8") -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
