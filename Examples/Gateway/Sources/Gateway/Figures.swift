import InterceptorKit
import Synchronization

/// How calls to a service went: counts of all, and the times of the newest.
final class Figures: Sendable {
    struct Values: Sendable {
        var answered = 0
        var failed = 0
        var fellBack = 0
        /// In milliseconds, the newest last.
        var times: [Double] = []

        /// The time that a share of the newest calls kept; `nil` without calls.
        func time(of share: Double) -> Double? {
            let sorted = times.sorted()
            guard !sorted.isEmpty else { return nil }
            return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
        }
    }

    private static let kept = 500
    private let values = Mutex(Values())

    var current: Values { values.withLock { $0 } }

    func note(_ time: Duration, change: (inout Values) -> Void) {
        let milliseconds = time / .milliseconds(1)
        values.withLock { values in
            change(&values)
            values.times.append(milliseconds)
            if values.times.count > Self.kept { values.times.removeFirst() }
        }
    }
}

/// Keeps the figures of the calls that pass.
struct FiguresInterceptor: Interceptor {
    let figures: Figures

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let (runtime, start) = (chain.call.runtime, chain.call.runtime.now)
        do {
            let response = try await chain.proceed()
            figures.note(start.duration(to: runtime.now)) { values in
                if response.fallbackReason != nil {
                    values.fellBack += 1
                } else if response.status.isServerError {
                    values.failed += 1
                } else {
                    values.answered += 1
                }
            }
            return response
        } catch {
            figures.note(start.duration(to: runtime.now)) { $0.failed += 1 }
            throw error
        }
    }
}

/// The last price that was heard of each thing.
final class KnownPrices: Sendable {
    private let prices = Mutex<[String: String]>([:])

    func price(for path: String) -> String? { prices.withLock { $0[path] } }

    func note(_ price: String, for path: String) { prices.withLock { $0[path] = price } }
}
