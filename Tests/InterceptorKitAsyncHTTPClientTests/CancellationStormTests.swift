#if AsyncHTTPClient
import Expectations
import Dispatch
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

/// Requests cancelled at every moment of their lives. `INTERCEPTORKIT_STORM=10000` makes it longer and
/// `INTERCEPTORKIT_STORM_SEED` another one.
@Suite(
    "AsyncHTTPClientTransport in a cancellation storm",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct CancellationStormTests {
    private enum Ending: Hashable, CaseIterable {
        case beforeHead, inBody, whole
    }

    // A clock of its own: tasks that wait or yield would take turns with the calls they cancel.
    private let queue = DispatchQueue(label: "CancellationStormTests")

    private static let size = number("INTERCEPTORKIT_STORM") ?? 2000
    private static let seed = number("INTERCEPTORKIT_STORM_SEED") ?? 1

    @Test("ends every call once, cancelled or complete, and leaks nothing")
    func storm() async throws {
        let server = try startServer()
        let transport = AsyncHTTPClientTransport()
        var random = SeededGenerator(seed: UInt64(Self.seed))
        var endings: [Ending: Int] = [:]

        try await withThrowingTaskGroup(of: Ending.self) { group in
            for index in 0..<Self.size {
                if index >= 32, let ending = try await group.next() {
                    endings[ending, default: 0] += 1
                }
                let url = server.url(
                    ["/small", "/slow", "/upload", "/large", "/half"][
                        Int.random(in: 0..<5, using: &random)
                    ]
                )
                let isPatient = Bool.random(using: &random)
                let patience = isPatient ? nil : Int.random(in: 0..<12_000, using: &random)
                group.addTask { try await exchange(url, over: transport, patience: patience) }
            }
            for try await ending in group { endings[ending, default: 0] += 1 }
        }

        expectEqual(endings.values.reduce(0, +), Self.size)
        expectEqual(Ending.allCases.filter { endings[$0, default: 0] == 0 }, [])
        print("storm ahc:", endings.map { "\($0) \($1)" }.sorted().joined(separator: ", "))
        _ = try await transport.send(.get(server.url("/small")), call: Call()).text()
        await transport.shutdown()
        try await server.waitForOpenConnections(0)
    }

    private func startServer() throws -> LoopbackServer {
        var options = LoopbackServer.Options()
        options.recordsRequests = false
        let large = Data(count: 300_000)
        return try LoopbackServer(options: options) { request in
            switch request.path {
            case "/slow":
                .text("slow").delayed(by: .milliseconds(1)).bodyDelayed(by: .milliseconds(5))
            case "/large", "/half": .status(200, body: large)
            default: .text("small")
            }
        }
    }

    /// One call, cancelled after so many microseconds if it is not over by then.
    private func exchange(
        _ url: HTTP.URL,
        over transport: AsyncHTTPClientTransport,
        patience: Int?
    ) async throws -> Ending {
        let call = Task { try await outcome(of: url, over: transport) }
        if let patience {
            queue.asyncAfter(deadline: .now() + .microseconds(patience)) { call.cancel() }
        }
        return try await call.value
    }

    private func outcome(
        of url: HTTP.URL,
        over transport: AsyncHTTPClientTransport
    ) async throws -> Ending {
        var ending = Ending.beforeHead
        do {
            let request: HTTP.Request =
                url.path == "/upload" ? .post(url, body: .oneShot(uploaded)) : .get(url)
            let response = try await transport.send(request, call: Call())
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

    private var uploaded: AsyncStream<Data> {
        AsyncStream { source in
            for _ in 0..<5 { source.yield(Data(count: 50_000)) }
            source.finish()
        }
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
#endif
