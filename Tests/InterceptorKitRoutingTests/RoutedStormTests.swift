import Dispatch
import EngineScenarios
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@testable import InterceptorKitRouting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tasks cancelled at every moment of their lives, many at once, some suspended before. No task is resumed
/// beside its end: Foundation itself ends the process then, whatever the protocol.
/// `INTERCEPTORKIT_STORM=20000` makes it longer and `INTERCEPTORKIT_STORM_SEED` another one.
@Suite(
    "A routed session in a cancellation storm",
    .tags(.sockets),
    .serializedAcrossSuites,
    .serialized,
    .timeLimit(.minutes(10))
)
struct RoutedStormTests {
    private enum Ending: Hashable, CaseIterable {
        case whole, cancelled
    }

    private let queue = DispatchQueue(label: "RoutedStormTests")

    private static let size = number("INTERCEPTORKIT_STORM") ?? 400
    private static let seed = UInt64(number("INTERCEPTORKIT_STORM_SEED") ?? 1)

    @Test(
        "ends every task once, complete or cancelled, and leaks nothing",
        arguments: [(false, 32), (false, 1000), (true, 32), (true, 1000)]
    )
    func storm(overNetwork: Bool, inFlight: Int) async throws {
        var options = LoopbackServer.Options()
        options.recordsRequests = false
        let large = Data(count: 200_000)
        let server = try LoopbackServer(options: options) { request in
            request.path == "/large" ? .status(200, body: large) : .text("small")
        }
        let network = URLSessionTransport()
        let local = ScriptedTransport<HTTP.Request> { request, call in
            if request.url.text.hasSuffix("slow") {
                try await call.runtime.sleep(for: .milliseconds(2))
            }
            let isLarge = request.url.text.hasSuffix("large")
            return HTTP.Response(body: isLarge ? .bytes(large) : "small")
        }
        let client =
            try overNetwork
            ? HTTP.Client(transport: network) { Mark(name: "a") }
            : HTTP.Client(transport: local) { Mark(name: "a") }
        let sessions = [
            routedSession(through: client), routedSession(through: client, delegate: DelegateLog()),
        ]
        var random = SeededGenerator(seed: RoutedStormTests.seed)
        var endings: [Ending: Int] = [:]

        try await withThrowingTaskGroup(of: Ending.self) { group in
            for index in 0..<RoutedStormTests.size {
                if index >= inFlight, let ending = try await group.next() {
                    endings[ending, default: 0] += 1
                }
                let path = ["/small", "/slow", "/large"][random.next(below: 3)]
                let session = sessions[random.next(below: 2)]
                let action = random.next(below: 3)
                // Microseconds; about as long as all that are in flight take.
                let patience = random.next(below: inFlight * 400)
                group.addTask {
                    try await run(urlRequest(server.url(path)), on: session) { task in
                        act(action, on: task, after: patience)
                    }
                }
            }
            for try await ending in group { endings[ending, default: 0] += 1 }
        }
        while client.openCalls > 0 { await Task.yield() }
        while client.openBodies > 0 { await Task.yield() }

        expectEqual(endings.values.reduce(0, +), RoutedStormTests.size)
        expectEqual(Ending.allCases.filter { endings[$0, default: 0] == 0 }, [])
        print("routed storm:", endings.map { "\($0) \($1)" }.sorted().joined(separator: ", "))
    }

    private func run(
        _ request: URLRequest,
        on session: URLSession,
        _ started: @Sendable @escaping (URLSessionDataTask) -> Void
    ) async throws -> Ending {
        switch await session.answer(to: request, started) {
        case .success(let (data, response)):
            let isLarge = request.url?.path == "/large"
            expectEqual(response.statusCode, 200)
            expectEqual(data.count, (isLarge ? 200_000 : 5))
            return .whole
        case .failure(let error):
            guard error.code == .cancelled else { throw error }
            return .cancelled
        }
    }

    private func act(_ action: Int, on task: URLSessionDataTask, after microseconds: Int) {
        switch action {
        case 0: return
        default:
            queue.asyncAfter(deadline: .now() + .microseconds(microseconds)) {
                if action == 1 { task.suspend() }
                task.cancel()
            }
        }
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
