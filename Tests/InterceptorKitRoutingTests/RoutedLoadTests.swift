import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitRouting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(
    "Cancellation and suspension of a routed session",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct RoutedLoadTests {
    @Test("end the chain's call when the task is cancelled")
    func cancellation() async throws {
        let stalled = Stalled()
        let client = try HTTP.Client(transport: stalled) {}

        let answer = await routedSession(through: client)
            .answer(to: urlRequest("http://api.example.com/")) { task in
                stalled.onArrival { task.cancel() }
            }

        expectEqual(failure(of: answer)?.code, .cancelled)
        while stalled.cancellations == 0 { await Task.yield() }
        while client.openCalls > 0 { await Task.yield() }
    }

    @Test("report calls that the client itself cancels")
    func cancelAll() async throws {
        let stalled = Stalled()
        let client = try HTTP.Client(transport: stalled) {}
        stalled.onArrival { client.cancelAll() }

        let answer = await routedSession(through: client)
            .answer(to: urlRequest("http://api.example.com/"))

        expectEqual(failure(of: answer)?.code, .cancelled)
    }

    @Test("hold a suspended task's response until it resumes, and send once")
    func suspension() async throws {
        let gate = Gate()
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            try await gate.pass()
            return HTTP.Response(body: "kept")
        }
        let client = try HTTP.Client(transport: transport) {}
        let notes = Notes()

        let answer = await routedSession(through: client)
            .answer(to: urlRequest("http://api.example.com/")) { task in
                Task { await keepWaiting(task, gate, client, notes) }
            }
        notes.note("answered")

        try expectEqual(answer.get().0, Data("kept".utf8))
        expectEqual(notes.all, ["resumed", "answered"])
        expectEqual(transport.sent.count, 1)
    }

    private func keepWaiting(
        _ task: URLSessionDataTask,
        _ gate: Gate,
        _ client: HTTP.Client,
        _ notes: Notes
    ) async {
        try? await gate.waitForArrivals(1)
        // Once more than needed, as code does that is not sure. Only while the answer is held: Foundation
        // ends the process at a resume() beside the end of a task, whatever the protocol.
        task.resume()
        task.suspend()
        gate.open()
        while client.openCalls > 0 { await Task.yield() }
        for _ in 0..<1000 { await Task.yield() }
        notes.note("resumed")
        task.resume()
    }
}

private final class Notes: Sendable {
    private let notes = Lock<[String]>([])

    var all: [String] { notes.withLock { $0 } }

    func note(_ text: String) { notes.withLock { $0.append(text) } }
}

/// Never answers, and counts who gave up.
final class Stalled: Transport {
    private struct State {
        var cancellations = 0
        var arrived = false
        var onArrival: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    var cancellations: Int { state.withLock(\.cancellations) }

    /// Does something when a request is here; from a queue of its own, as a user would.
    func onArrival(_ body: @escaping @Sendable () -> Void) {
        let isHere = state.withLock { state in
            state.onArrival = body
            return state.arrived
        }
        if isHere { DispatchQueue.global().async(execute: body) }
    }

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        let body = state.withLock { state in
            state.arrived = true
            return state.onArrival
        }
        if let body { DispatchQueue.global().async(execute: body) }
        do {
            try await call.runtime.sleep(for: .seconds(3600))
            return HTTP.Response()
        } catch {
            state.withLock { $0.cancellations += 1 }
            throw error
        }
    }
}
