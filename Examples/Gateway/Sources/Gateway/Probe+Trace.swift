import InterceptorKit

extension Probe {
    private struct Answer: Decodable {
        struct Order: Decodable { var trace: String }

        var order: Order
    }

    /// Asks for an order as part of a trace, and says whether the orders service was asked as part of it
    /// too, and the gateway shows its own part as spans and in the timeline.
    func trace() async throws -> Bool {
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let caller = "b7ad6b7169203331"
        let fields: HTTP.Headers = ["traceparent": "00-\(trace)-\(caller)-01"]
        let answer = try await client.send(.get("/orders/7", headers: fields)).decode(Answer.self)
        let spans = try await spans(of: trace)
        let timeline = try await client.send(.get("/status/calls")).text()

        let server = spans.first { $0.kind == "server" && $0.parent == caller }
        let calls = spans.filter { $0.kind == "internal" && $0.parent == server?.id }
        let sends = spans.filter { span in
            span.kind == "client" && calls.contains { $0.id == span.parent }
        }
        for span in spans {
            print("trace: \(span.kind) \(span.id) of \(span.parent ?? "none"): \(span.name)")
        }
        print("trace: the orders service was asked as part of \(answer.order.trace)")
        let isWhole = server != nil && calls.count == 2 && sends.count >= 2
        return isWhole && answer.order.trace == trace && timeline.contains(trace)
    }

    /// A server's span ends after the caller has its answer, so they are asked for until it is there.
    private func spans(of trace: String) async throws -> [RecentSpans.Entry] {
        var spans: [RecentSpans.Entry] = []
        for _ in 0..<500 where !spans.contains(where: { $0.kind == "server" }) {
            try await Runtime.live.sleep(for: .milliseconds(20))
            spans = try await client.send(.get("/status/traces/\(trace)"))
                .decode([RecentSpans.Entry].self)
        }
        return spans
    }
}
