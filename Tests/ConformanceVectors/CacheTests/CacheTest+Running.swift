import Foundation
package import InterceptorKit
import InterceptorKitConcurrency
package import InterceptorKitTesting
import Synchronization

extension CacheTest {
    /// The outcome of trying a case.
    package enum TestResult: Sendable, Equatable {
        case passed
        /// What the case is about did not happen.
        case failed(String)
        /// What the case builds on did not happen, so it says nothing.
        case unprepared(String)
        /// The client threw where a response was expected.
        case threw(String)
    }

    /// Tries the case in virtual time, without a network.
    package func result(
        in simulation: Simulation,
        through interceptors: [any Interceptor<HTTP.Request>]
    ) async throws -> TestResult {
        let origin = CacheTestOrigin(self)
        let runtime = simulation.runtime
        let client = CacheTestClient(
            pipeline: try Pipeline(
                interceptors,
                transport: CacheTestTransport(origin: origin),
                runtime: runtime
            ),
            runtime: runtime,
            base: "http://origin.example",
            pause: { try await runtime.sleep(for: $0) }
        )
        return try await client.result(on: self, origin)
    }

    /// Tries the case against a server of its own. Pauses only move the date and the clock.
    package func result(
        over transport: some Transport<HTTP.Request>,
        through interceptors: [any Interceptor<HTTP.Request>]
    ) async throws -> TestResult {
        let origin = CacheTestOrigin(self)
        let time = ShiftedTime()
        let runtime = time.runtime
        let server = try LoopbackServer { request in
            time.pass(origin.pause(before: request.headers))
            return origin.answer(
                to: request.method,
                request.target,
                request.headers,
                now: runtime.date
            ).reply
        }
        defer { server.stop() }
        let client = CacheTestClient(
            pipeline: try Pipeline(interceptors, transport: transport, runtime: runtime),
            runtime: runtime,
            base: HTTP.URL("\(server.origin)"),
            pause: { time.pass($0) }
        )
        return try await client.result(on: self, origin)
    }
}

/// Real time, of which some can pass at once.
private final class ShiftedTime: Sendable {
    private let shift = Lock(Duration.zero)

    func pass(_ duration: Duration) { shift.withLock { $0 += duration } }

    var runtime: Runtime {
        let live = Runtime.live
        return Runtime(
            now: { live.now.advanced(by: self.shift.withLock { $0 }) },
            date: {
                let passed = self.shift.withLock { $0 }.components.seconds
                return live.date.addingTimeInterval(Double(passed))
            },
            sleep: { instant in
                let shift = self.shift.withLock { $0 }
                try await live.sleep(until: instant.advanced(by: .zero - shift))
            },
            random: { live.random() },
            identifier: { live.identifier() },
            start: { live.start($0, $1) }
        )
    }
}
