import Foundation
import Hummingbird
import InterceptorKit
import InterceptorKitInspection

/// What the gateway says of itself.
struct Board: Sendable {
    /// The response of `/health`.
    struct Summary: Codable, Sendable {
        struct Upstream: Codable, Sendable {
            var breaker: String
            /// How often the breaker `opened` and `closed`, and how many calls were `answered` and `fellBack`.
            var counts: [String: Int]
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
    let spans: RecentSpans
    let served: ConcurrencyLimiter

    var summary: Summary {
        let entries = journal.entries
        var summary = Summary(status: "ok", serving: served.inFlight(), upstreams: [:])
        for upstream in upstreams {
            let state = upstream.breaker.status(of: upstream.origin).state
            if state != .closed { summary.status = "degraded" }
            let own = entries.filter { $0.upstream == upstream.name }.map(\.change.to)
            let figures = upstream.figures.current
            summary.upstreams[upstream.name] = Summary.Upstream(
                breaker: state.description,
                counts: [
                    "opened": own.count { $0 == .open }, "closed": own.count { $0 == .closed },
                    "answered": figures.answered, "fellBack": figures.fellBack,
                ]
            )
        }
        return summary
    }

    func addRoutes(to router: Router<GatewayContext>) {
        router.get("health") { _, _ in
            try json(summary)
        }
        router.get("status") { _, _ in page(StatusPage(board: self).html) }
        router.get("status/calls") { _, _ in page(timeline.html(title: "The gateway's last calls"))
        }
        router.get("status/traces/:id") { _, context in
            try json(spans.entries(of: context.parameters.require("id")))
        }
    }

    private func json(_ value: some Encodable) throws -> Response {
        page(String(decoding: try JSONEncoder().encode(value), as: UTF8.self), "application/json")
    }

    private func page(_ text: String, _ type: String = "text/html; charset=utf-8") -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
