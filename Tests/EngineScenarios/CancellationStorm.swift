import Dispatch
import Expectations
import Foundation
import InterceptorKit
package import InterceptorKitTesting
import Testing

/// Requests cancelled at every moment of their lives. `INTERCEPTORKIT_STORM=10000` makes it longer and
/// `INTERCEPTORKIT_STORM_SEED` another one.
package struct CancellationStorm {
    private let server: LoopbackServer
    private let size = number("INTERCEPTORKIT_STORM") ?? 800
    private var random = SeededGenerator(
        seed: UInt64(number("INTERCEPTORKIT_STORM_SEED") ?? 1)
    )
    // A clock of its own: tasks that wait or yield would take turns with the calls they cancel.
    private let queue = DispatchQueue(label: "CancellationStorm")

    /// - Parameter large: The response that takes longest.
    package init(
        large: LoopbackServer.Reply = .status(200, body: Data(count: 300_000))
    ) throws {
        var options = LoopbackServer.Options()
        options.recordsRequests = false
        server = try LoopbackServer(options: options) { request in
            switch request.path {
            case "/slow":
                .text("slow").delayed(by: .milliseconds(2)).bodyDelayed(by: .milliseconds(1))
            case "/basic":
                .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], body: "no")
            case "/large", "/half": large
            default: .text("small")
            }
        }
    }

    /// Expects every call to end once, as cancelled or whole, and nothing to be left.
    package mutating func cancelCalls(over transport: some WatchedTransport) async throws {
        var endings: [Ending: Int] = [:]

        try await withThrowingTaskGroup(of: Ending.self) { group in
            for index in 0..<size {
                if index >= 32, let ending = try await group.next() {
                    endings[ending, default: 0] += 1
                }
                let url = server.url(
                    ["/small", "/slow", "/basic", "/large", "/half"][random.next(below: 5)]
                )
                let patience = random.next(below: 4) == 0 ? nil : random.next(below: 12_000)
                group.addTask { [queue] in
                    let call = Task { try await outcome(of: url, over: transport) }
                    if let patience {
                        queue.asyncAfter(deadline: .now() + .microseconds(patience)) {
                            call.cancel()
                        }
                    }
                    return try await call.value
                }
            }
            for try await ending in group { endings[ending, default: 0] += 1 }
        }
        await transport.idle()

        expectEqual(endings.values.reduce(0, +), size)
        expectEqual(Ending.allCases.filter { endings[$0, default: 0] == 0 }, [])
        expectEqual(transport.liveCount, 0)
        print("storm:", endings.map { "\($0) \($1)" }.sorted().joined(separator: ", "))
        _ = try await transport.send(.get(server.url("/small")), call: Call())
    }

    /// Closes transports in mid-flight and expects them to answer every call.
    package mutating func closeTransports(_ makeTransport: () throws -> some WatchedTransport)
        async throws
    {
        for _ in 0..<size / 40 {
            let transport = try makeTransport()
            let patience = random.next(below: 2000)
            let answers = await withTaskGroup(of: Bool.self) { group in
                for path in ["/small", "/slow", "/basic", "/large"] + ["/small", "/slow"] {
                    let url = server.url(path)
                    group.addTask { await isWholeOrClosed(url, over: transport) }
                }
                for _ in 0..<patience { await Task.yield() }
                transport.close()
                return await group.reduce(into: []) { $0.append($1) }
            }
            await transport.idle()

            expectEqual(answers, Array(repeating: true, count: 6))
            expectEqual(transport.liveCount, 0)
        }
    }
}

private enum Ending: Hashable, CaseIterable {
    case beforeHead, inBody, whole
}

private func outcome(
    of url: HTTP.URL,
    over transport: some WatchedTransport
) async throws -> Ending {
    var ending = Ending.beforeHead
    do {
        let response = try await transport.send(.get(url), call: Call())
        ending = .inBody
        var count = 0
        for try await chunk in response.body {
            count += chunk.count
            // So that some are cut in their bodies however late the others' clocks are.
            if url.path == "/half" { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        }
        ending = .whole
        expectEqual(count, response.body.length)
    } catch is CancellationError {
        expectTrue(Task.isCancelled)
    }
    return ending
}

private func isWholeOrClosed(_ url: HTTP.URL, over transport: some WatchedTransport) async -> Bool {
    do {
        let response = try await transport.send(.get(url), call: Call())
        return try await response.body.collect().count == response.body.length
    } catch {
        return (error as? TransportError)?.code == .closed
    }
}

private func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
}
