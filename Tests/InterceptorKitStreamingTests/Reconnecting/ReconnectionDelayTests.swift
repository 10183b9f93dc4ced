import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitStreaming

@Suite("ReconnectionDelay")
struct ReconnectionDelayTests {
    private var options = HTTP.EventSourceOptions()

    private func delays(
        _ count: Int,
        retry: Duration? = nil,
        retryAfter: Duration? = nil,
        fraction: Double = 1,
        elapsed: Duration = .seconds(100)
    ) -> [Duration] {
        var delay = ReconnectionDelay(options)
        return (0..<count).map { _ in
            delay.next(retry: retry, retryAfter: retryAfter, fraction: fraction, elapsed: elapsed)
        }
    }

    @Test("grows from 1 s to 30 s, with full jitter")
    func growth() {
        expectEqual(delays(7), [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        expectEqual(delays(3, fraction: 0), [.zero, .zero, .zero])
        expectEqual(delays(2, fraction: 0.5), [.milliseconds(500), .seconds(1)])
    }

    @Test("is what the server asks for, until failures have grown beyond it")
    func retry() {
        expectEqual(delays(4, retry: .seconds(3)), [3, 3, 4, 8].map { .seconds($0) })
        expectEqual(delays(2, retry: .seconds(3), fraction: 0), [.seconds(3), .seconds(3)])
    }

    @Test("is at least what a refusal asks for")
    func retryAfter() {
        expectEqual(delays(1, retry: .zero, retryAfter: .seconds(20)), [.seconds(20)])
    }

    @Test("leaves a second between the beginnings of two connections")
    func minimum() {
        expectEqual(delays(1, retry: .zero, elapsed: .milliseconds(200)), [.milliseconds(800)])
        expectEqual(delays(1, retry: .zero, elapsed: .seconds(2)), [.zero])
    }
}
