import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import Synchronization
import TestRun
import Testing

/// What Foundation on Linux makes of a million header lines keeps the queue of all its sessions for many
/// seconds, so this is tried in a process of its own.
///
/// Newer versions of libcurl refuse such a head after 5,000 lines, which keep the queue for a moment. So it
/// comes again and again, from many calls.
@Suite(
    "A response with a million header fields",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct EndlessHeadTests {
    @Test("neither holds a call past its deadline nor blocks other tasks")
    func deadlines() async {
        await #expect(processExitsWith: .success) {
            let head = "HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 1_000_000)
            let server = try LoopbackServer { $0.path == "/" ? .raw(head) : .text("hello") }
            let transport = URLSessionTransport()
            let flood = (0..<16).map { _ in
                Task {
                    while true {
                        do {
                            _ = try await transport.send(.get(server.url("/")), call: Call())
                        } catch is TransportError {
                            continue
                        }
                    }
                }
            }
            // Until the engine's turns take long.
            let other = HTTP.Request.get(server.url("/other"))
            while await time(of: other, over: transport, within: .milliseconds(300))
                < .milliseconds(300)
            {}

            // More calls than there are threads for tasks, at a queue that is taken.
            let steps = Steps()
            let walker = Task { await steps.walk() }
            let late = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
                Task { await time(of: other, over: transport, within: .seconds(1)) }
            }
            var times: [Duration] = []
            for task in late { times.append(await task.value) }
            let count = steps.count
            walker.cancel()
            for task in flood { task.cancel() }
            for task in flood {
                await #expect(throws: CancellationError.self) { try await task.value }
            }

            expectTrue(times.allSatisfy { $0 < .seconds(3) }, "\(times)")
            // One takes 10 ms. When callers' threads waited for the queue, nothing else ran.
            expectTrue(count > 8)
        }
    }
}

/// How long a call takes, whatever comes of it.
private func time(
    of request: HTTP.Request,
    over transport: URLSessionTransport,
    within limit: Duration
) async -> Duration {
    let start = Runtime.live.now
    _ = try? await transport.send(request, call: Call().withDeadline(within: limit))
    return start.duration(to: Runtime.live.now)
}

/// Counts how often a task got its turn, at most once in 10 ms.
private final class Steps: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func walk() async {
        var last = Runtime.live.now
        while !Task.isCancelled {
            await Task.yield()
            let now = Runtime.live.now
            guard last.duration(to: now) >= .milliseconds(10) else { continue }
            last = now
            number.add(1, ordering: .relaxed)
        }
    }
}
