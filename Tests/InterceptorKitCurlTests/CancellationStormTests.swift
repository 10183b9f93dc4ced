import Dispatch
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@testable import InterceptorKitCurl

/// Requests cancelled at every moment of their lives. `INTERCEPTORKIT_STORM=10000` makes it longer and
/// `INTERCEPTORKIT_STORM_SEED` another one.
@Suite("Cancellation storm", .serialized, .timeLimit(.minutes(10)))
struct CancellationStormTests {
    private enum Ending: Hashable, CaseIterable {
        case beforeHead, inBody, whole
    }

    // A clock of its own: tasks that wait or yield would take turns with the calls they cancel.
    private let queue = DispatchQueue(label: "CancellationStormTests")

    private static let size = number("INTERCEPTORKIT_STORM") ?? 2000
    private static let seed = UInt64(number("INTERCEPTORKIT_STORM_SEED") ?? 1)

    @Test("every call ends once, as cancelled or whole, and nothing is left")
    func storm() async throws {
        let server = try startServer()
        let transport = try CurlTransport()
        var random = TestRandom(seed: CancellationStormTests.seed)
        var endings: [Ending: Int] = [:]

        try await withThrowingTaskGroup(of: Ending.self) { group in
            for index in 0..<CancellationStormTests.size {
                if index >= 32, let ending = try await group.next() {
                    endings[ending, default: 0] += 1
                }
                let url = server.url(
                    ["/small", "/slow", "/basic", "/large", "/half"][random.next(below: 5)]
                )
                let patience = random.next(below: 4) == 0 ? nil : random.next(below: 12_000)
                group.addTask { try await exchange(url, over: transport, patience: patience) }
            }
            for try await ending in group { endings[ending, default: 0] += 1 }
        }
        await transport.loop.idle()

        #expect(endings.values.reduce(0, +) == CancellationStormTests.size)
        #expect(Ending.allCases.filter { endings[$0, default: 0] == 0 } == [])
        #expect(transport.loop.liveCount == 0)
        print("storm:", endings.map { "\($0) \($1)" }.sorted().joined(separator: ", "))
        _ = try await transport.send(.get(server.url("/small")), call: Call())
    }

    @Test("transports closed in mid-flight answer every call")
    func closings() async throws {
        let server = try startServer()
        var random = TestRandom(seed: CancellationStormTests.seed)

        for _ in 0..<CancellationStormTests.size / 40 {
            let transport = try CurlTransport()
            let patience = random.next(below: 2000)
            let answers = await withTaskGroup(of: Bool.self) { group in
                for path in ["/small", "/slow", "/basic", "/large"] + ["/small", "/slow"] {
                    group.addTask { await isWholeOrClosed(server.url(path), over: transport) }
                }
                for _ in 0..<patience { await Task.yield() }
                transport.close()
                return await group.reduce(into: []) { $0.append($1) }
            }
            await transport.loop.idle()

            #expect(answers == Array(repeating: true, count: 6))
            #expect(transport.loop.liveCount == 0)
        }
    }

    private func startServer() throws -> LoopbackServer {
        var options = LoopbackServer.Options()
        options.recordsRequests = false
        let large = Data(count: 300_000)
        return try LoopbackServer.start(options: options) { request in
            switch request.path {
            case "/slow":
                .text("slow").delayed(by: .milliseconds(2)).bodyDelayed(by: .milliseconds(1))
            case "/basic":
                .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], body: "no")
            case "/large", "/half": .status(200, body: large)
            default: .text("small")
            }
        }
    }

    /// One call, cancelled after so many microseconds if it is not over by then.
    private func exchange(
        _ url: HTTP.URL,
        over transport: CurlTransport,
        patience: Int?
    ) async throws -> Ending {
        let call = Task { try await outcome(of: url, over: transport) }
        if let patience {
            queue.asyncAfter(deadline: .now() + .microseconds(patience)) { call.cancel() }
        }
        return try await call.value
    }

    private func outcome(of url: HTTP.URL, over transport: CurlTransport) async throws
        -> Ending
    {
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
            #expect(count == response.body.length)
        } catch is CancellationError {
            #expect(Task.isCancelled)
        }
        return ending
    }

    private func isWholeOrClosed(_ url: HTTP.URL, over transport: CurlTransport) async -> Bool {
        do {
            let response = try await transport.send(.get(url), call: Call())
            return try await response.body.collect().count == response.body.length
        } catch {
            return (error as? TransportError)?.code == .closed
        }
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
