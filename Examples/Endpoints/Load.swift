import Foundation
import InterceptorKit

/// Calls at a steady rate, whatever becomes of them: one half `GET`, one half `POST` with an
/// `Idempotency-Key`.
struct Load {
    struct Result: Sendable {
        let method: HTTP.Method
        /// From the instant at which the call was due.
        let time: Duration
        let problem: String?
    }

    private let contender: Contender
    private let fault: String
    private let folder: String
    private let rate: Int
    private let seconds: Int
    private let client: HTTP.Client
    private let sends = Sends()

    init(_ options: Options) throws {
        guard let contender = Contender(rawValue: try options.text("by")) else {
            throw UsageError()
        }
        self.contender = contender
        fault = try options.text("fault")
        folder = try options.text("files")
        rate = try options.number("rate")
        seconds = try options.number("seconds")
        client = try contender.client(
            options.text("ports").split(separator: ",").compactMap { Int($0) },
            attemptTimeout: .milliseconds(options.number("attempt-timeout")),
            counting: sends
        )
    }

    func run() async throws {
        let runtime = Runtime.live
        let began = runtime.now
        let results = try await withThrowingTaskGroup(of: Result.self) { group in
            for number in 0..<rate * seconds {
                let due = began.advanced(by: .seconds(number) / rate)
                try await runtime.sleep(until: due)
                // Four of each, so that round robin gives every backend both.
                let method: HTTP.Method = (number / 4).isMultiple(of: 2) ? .get : .post
                group.addTask {
                    let problem = await problem(of: method)
                    return Result(
                        method: method,
                        time: due.duration(to: runtime.now),
                        problem: problem
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        report(results)
    }

    private func problem(of method: HTTP.Method) async -> String? {
        var request = HTTP.Request.get("/orders")
        if method == .post { request = .post("/orders", body: .text(#"{"item":7}"#)) }
        do {
            let response = try await client.send(request)
            let text = try await response.text()
            return response.status == .ok ? nil : "\(response.status.code) \(text)"
        } catch {
            return "\(error)"
        }
    }

    private func report(_ results: [Result]) {
        let errors = results.count(where: { $0.problem != nil })
        // What a proxy sends only the backends have seen. Of ours, connections that were refused count too.
        let isProxied = contender == .haproxy || contender == .envoy
        let sent = isProxied ? received : sends.count
        let ratio = Double(sent) / Double(max(1, results.count))
        print(
            "endpoints lost one of four by \(fault): \(errors) errors of \(results.count) calls, "
                + "\(String(format: "%.3f", ratio)) sends a call (\(contender.rawValue))"
        )
        for method in [HTTP.Method.get, .post] {
            let own = results.filter { $0.method == method }
            let times = own.map(\.time).sorted()
            print(
                "    \(method): \(own.count(where: { $0.problem != nil })) errors,",
                "p50 \(times.percentile(50)), p99 \(times.percentile(99)),",
                "p99.9 \(times.percentile(99.9)), longest \(times.percentile(100))"
            )
        }
        let problems = Dictionary(grouping: results.compactMap(\.problem)) { $0 }
        for (problem, calls) in problems.sorted(by: { $0.value.count > $1.value.count }).prefix(3) {
            print("    \(calls.count) times: \(problem)")
        }
    }

    private var received: Int {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".requests") }.reduce(0) { sum, file in
            let path = "\(folder)/\(file)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }
}

extension [Duration] {
    /// The time below which a part of these times lies, which are in order.
    fileprivate func percentile(_ percent: Double) -> String {
        guard !isEmpty else { return "-" }
        let rank = (percent / 100 * Double(count)).rounded(.up)
        let time = self[Swift.min(Swift.max(Int(rank), 1), count) - 1]
        return "\(Int((time / .milliseconds(1)).rounded())) ms"
    }
}
